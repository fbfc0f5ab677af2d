package dev.sotto.testkit;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.topology.encryption.EncryptionSettings;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LearnerSettings;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What a golden file says: sections of "key: value" lines, the same on every Java version. Numbers
 * are the shortest decimals that read back as the same double.
 */
final class GoldenContent {
  static final String CONFIGURATION = "configuration";
  static final String RUN = "run";
  static final String ROUND = "round ";
  static final String LETTERS = "dead letters";
  static final String WEIGHTS = "weights";

  private static final int FORMAT = 1;
  private static final String HEAD =
      "# Written by Sotto's test kit: what was learned, bit for bit. -Dsotto.golden.update=true"
          + " writes it anew.";
  private static final int MOST_WEIGHTS = 64; // of a model whose weights stand here one by one
  private static final int MOST_NUMBERS = 20_000;

  /** Settings that say where and how it runs, and not what is learned. */
  private static final List<String> ELSEWHERE = List.of(
      NoiseKeySettings.PREFIX,
      EncryptionSettings.PREFIX,
      ApplicationKeys.BOOTSTRAP_SERVERS.name(),
      "kafka.",
      "http.",
      "state.",
      "checkpoint.",
      ApplicationKeys.EVENTS_START.name(),
      "topics.",
      "threads",
      "transaction.");

  private final Map<String, Map<String, String>> sections = new LinkedHashMap<>();

  private GoldenContent() {}

  static GoldenContent of(LearningResult learned) {
    GoldenContent text = new GoldenContent();
    Map<String, String> configuration = text.section(CONFIGURATION);
    for (String line : learned.config().effective().yaml().lines().toList()) {
      int colon = line.indexOf(": ");
      if (colon > 0 && ELSEWHERE.stream().noneMatch(line::startsWith)) {
        configuration.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    LearnerSettings settings = learned.config().learner();
    TestInput.Summary events = learned.events().summary(settings.eventTopic());
    Map<String, String> run = text.section(RUN);
    run.put("format", String.valueOf(FORMAT));
    run.put("fingerprint", hex(settings.plan().fingerprint()));
    run.put("noise key", settings.key().id());
    run.put("seed", String.valueOf(learned.kit().seed()));
    run.put("events", String.valueOf(events.count()));
    run.put("partitions", String.valueOf(events.partitions()));
    run.put("input", events.digest());
    text.rounds(learned);
    Map<String, String> letters = text.section(LETTERS);
    learned
        .deadLetters()
        .forEach(each -> letters.put(
            "partition " + each.partition() + " offset " + each.offset(),
            each.reason().name()));
    return text;
  }

  private void rounds(LearningResult learned) {
    Map<String, ModelVersion> versions = new HashMap<>();
    learned.versions().forEach(each -> versions.put(title(each.round(), each.model()), each));
    int dimension = learned.config().learner().plan().dimension();
    boolean every = (long) versions.size() * Math.min(dimension, MOST_WEIGHTS) <= MOST_NUMBERS;
    for (LedgerEntry entry : learned.ledger()) {
      String title = title(entry.round(), entry.modelId());
      Map<String, String> round = section(title);
      round.put("epsilon", number(entry.guarantee().epsilon()));
      round.put("digest", hex(entry.snapshotDigest()));
      ModelVersion version = versions.get(title);
      if (version != null && (every || version == learned.newestVersion(version.model()))) {
        round.put(WEIGHTS, weights(version.weights()));
      }
    }
  }

  /** All of a few, otherwise the first and a hash of all. */
  private static String weights(double[] weights) {
    StringJoiner text = new StringJoiner(" ");
    for (int i = 0; i < Math.min(weights.length, MOST_WEIGHTS); i++) {
      text.add(number(weights[i]));
    }
    if (weights.length > MOST_WEIGHTS) {
      Sha256Fields digest = new Sha256Fields();
      ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(Double.BYTES, weights.length));
      bytes.asDoubleBuffer().put(weights);
      text.add("sha256:" + hex(digest.bytes(bytes.array()).finish()));
    }
    return text.toString();
  }

  private static String title(long round, String model) {
    return ROUND + round + " of model " + model;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static String number(double value) {
    if (!Double.isFinite(value) || value == 0) {
      return String.valueOf(value);
    }
    BigDecimal exact = new BigDecimal(value);
    BigDecimal rounded = exact;
    for (int digits = 1; digits <= 17; digits++) {
      rounded = exact.round(new MathContext(digits));
      if (rounded.doubleValue() == value) {
        break;
      }
    }
    return rounded.stripTrailingZeros().toString();
  }

  /**
   * What a file says.
   *
   * @throws IllegalArgumentException where it is no golden file; its message says why
   */
  static GoldenContent parse(String file) {
    GoldenContent text = new GoldenContent();
    Map<String, String> section = null;
    int number = 0;
    for (String line : file.lines().toList()) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      int colon = line.indexOf(": ");
      if (line.startsWith("[") && line.endsWith("]")) {
        section = text.section(line.substring(1, line.length() - 1));
      } else if (section == null || colon < 1) {
        throw new IllegalArgumentException(
            "line " + number + " is neither a [section] nor \"key: value\"");
      } else {
        section.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    String format = text.get(RUN).get("format");
    if (!String.valueOf(FORMAT).equals(format)) {
      throw new IllegalArgumentException("its format must be " + FORMAT + ", but is " + format);
    }
    return text;
  }

  private Map<String, String> section(String name) {
    return sections.computeIfAbsent(name, none -> new LinkedHashMap<>());
  }

  /** A section, empty where there is none. */
  Map<String, String> get(String section) {
    return sections.getOrDefault(section, Map.of());
  }

  /** The sections of rounds, in their order. */
  List<String> rounds() {
    return sections.keySet().stream().filter(each -> each.startsWith(ROUND)).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GoldenContent text && text.sections.equals(sections);
  }

  @Override
  public int hashCode() {
    return sections.hashCode();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    sections.forEach((name, lines) -> {
      text.append("\n[").append(name).append("]\n");
      lines.forEach((key, value) -> text.append(key).append(": ").append(value).append('\n'));
    });
    return text.toString();
  }
}
