package dev.sotto.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sotto.app.Main;
import dev.sotto.config.ConfigException;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.extension.Extension;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.serdes.record.Codecs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ExtensionCodeTest {
  /** {@link Texts#VALID} without what only built-in formats have. */
  private static final String DIGITS =
      "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

  private static final Map<String, String> KEY = Map.of("SOTTO_NOISE_KEY", DIGITS);
  private static final String VALID = """
      app.id: test
      bootstrap.servers: localhost:9092
      events.topic: events
      features.numeric.x: {field: x, min: -1, max: 1}
      label.field: y
      loss: logistic
      privacy:
        epsilon: 2
        delta: 1e-6
        horizon.rounds: 1000
      noise.key.env: SOTTO_NOISE_KEY
      """;
  private static final String OWN_EVENTS = VALID
          .replace("features.numeric.x: {field: x, min: -1, max: 1}\n", "")
          .replace("label.field: y\n", "")
          .replace("loss: logistic", "loss: squared")
      + "events.format: commas\nclip.norm: 1\nftrl.steps: decreasing\n";

  @TempDir
  Path folder;

  @SafeVarargs
  private SottoConfig load(String yaml, List<String> flags, Class<? extends Extension>... providers)
      throws Exception {
    return UserCode.with(
        folder,
        () -> SottoConfig.load(
            ConfigSource.of("test.yaml", yaml).withEnvironment(KEY).withFlags(flags)),
        providers);
  }

  @SafeVarargs
  private List<String> faults(
      String yaml, List<String> flags, Class<? extends Extension>... providers) throws Exception {
    ConfigException failure =
        catchThrowableOfType(ConfigException.class, () -> load(yaml, flags, providers));
    assertThat(failure).as("a configuration with faults").isNotNull();
    return failure.errors().stream().map(ConfigError::message).toList();
  }

  private Plan plan(Class<? extends Extension> provider, String... flags) throws Exception {
    return load(VALID, List.of(flags), provider).learner().plan();
  }

  @Test
  void takesALossOfOnesOwnIntoTheFingerprint() throws Exception {
    Plan first = plan(UserCode.Moody.class, "loss=moody");
    assertThat(first.lossName()).isEqualTo("moody(version=\"1\")");
    assertThat(first.objective().lipschitz()).isEqualTo(1);
    Plan second = plan(UserCode.Moody.class, "loss=moody", "loss.parameters.threshold=0.5");
    assertThat(second.lossName()).isEqualTo("moody(version=\"1\" \"threshold\"=\"0.5\")");
    assertThat(second.objective().lipschitz()).isEqualTo(0.5);
    Plan later = plan(UserCode.Later.class, "loss=moody");
    assertThat(plan(UserCode.Moody.class, "loss=moody").fingerprint())
        .isEqualTo(first.fingerprint())
        .isNotEqualTo(second.fingerprint())
        .isNotEqualTo(later.fingerprint());
    assertThat(first.steps()).isEqualTo(later.steps());
  }

  @Test
  void takesADecoderOfOnesOwnIntoTheFingerprint() throws Exception {
    SottoConfig config = load(OWN_EVENTS, List.of("unit.from=key"), UserCode.Commas.class);
    Plan plan = config.learner().plan();
    assertThat(plan.dimension()).isEqualTo(2);
    assertThat(plan.features())
        .isEqualTo("events own commas(version=\"1\")\ndimension 2\nnorm scale\nunit key\n"
            + "max-bytes 1048576\n");
    Plan wider = load(OWN_EVENTS, List.of("events.parameters.width=5"), UserCode.Commas.class)
        .learner()
        .plan();
    assertThat(wider.dimension()).isEqualTo(5);
    assertThat(wider.features()).contains("(version=\"1\" \"width\"=\"5\")");
    assertThat(config.effective().yaml()).contains("events.format: commas");
  }

  @Test
  void tellsWhatThereIsInsteadOfAnUnknownName() throws Exception {
    assertThat(faults(VALID, List.of("loss=modo"), UserCode.Moody.class))
        .singleElement()
        .asString()
        .startsWith("loss must be one of logistic, ")
        .contains("or the name of a loss of your own, but was modo; of your own there is moody on"
            + " the class path; did you mean moody?");
    assertThat(faults(OWN_EVENTS, List.of("events.format=jsn")))
        .singleElement()
        .asString()
        .startsWith(
            "events.format must be one of json, avro, protobuf, json-schema, example, or the name of a decoder")
        .contains(
            "but was jsn; of your own there is none", "SOTTO_CLASSPATH", "did you mean json?");
  }

  @Test
  void refusesNamesWithTwoMeanings() throws Exception {
    assertThat(faults(VALID, List.of("loss=moody"), UserCode.Moody.class, UserCode.Later.class))
        .anySatisfy(fault -> assertThat(fault)
            .startsWith("loss must name one thing, but two providers are called moody: "));
    assertThat(faults(VALID, List.of("loss=huber"), UserCode.Usurper.class))
        .singleElement()
        .asString()
        .startsWith("loss must name one thing, but huber is built in, and ");
    assertThat(faults(VALID, List.of(), UserCode.Json.class))
        .singleElement()
        .asString()
        .startsWith("events.format must name one thing, but json is built in, and ");
  }

  @Test
  void tellsWhatTheCodeSaysOfItsParameters() throws Exception {
    assertThat(faults(
            VALID, List.of("loss=moody", "loss.parameters.threshold=-1"), UserCode.Moody.class))
        .containsExactly(
            "loss does not work: moody says: threshold must be positive, but was -1.0 (--set)");
    assertThat(faults(OWN_EVENTS, List.of("events.parameters.width=no"), UserCode.Commas.class))
        .singleElement()
        .asString()
        .startsWith("events.format does not work: commas says: ")
        .contains("\"no\"");
    assertThat(faults(OWN_EVENTS, List.of("events.parameters.width=0"), UserCode.Commas.class))
        .singleElement()
        .asString()
        .contains("dimension() must be 1 to 2^24, but is 0");
  }

  @Test
  void refusesParametersThatNobodyReads() throws Exception {
    assertThat(faults(VALID, List.of("loss.parameters.threshold=1")))
        .singleElement()
        .asString()
        .contains(
            "loss.parameters.threshold means nothing here: it needs loss a loss of your own, but"
                + " loss is logistic");
    assertThat(faults(VALID, List.of("events.parameters.a.b=1")))
        .singleElement()
        .asString()
        .startsWith("events.parameters.a.b means nothing here");
    assertThat(faults(OWN_EVENTS, List.of("label.field=y"), UserCode.Commas.class))
        .singleElement()
        .asString()
        .startsWith(
            "label.field means nothing here: it needs events.format avro or json or json-schema or protobuf");
    assertThat(faults(VALID, List.of("loss=moody", "loss.parameter.a=1"), UserCode.Moody.class))
        .containsExactly(
            "loss.parameter.a is not a setting; did you mean loss.parameters.a? (--set)");
  }

  private record Heard(List<LedgerEntry> ledger, Map<String, Integer> letters)
      implements OutputListener {
    Heard() {
      this(new ArrayList<>(), new TreeMap<>());
    }

    @Override
    public void ledger(int partition, String modelId, byte[] entry) {
      ledger.add(Codecs.LEDGER.decode(entry));
    }

    @Override
    public void deadLetter(Record<byte[], byte[]> letter) {
      letters.merge(
          new String(letter.headers().lastHeader("sotto.reason").value(), UTF_8), 1, Integer::sum);
    }
  }

  private Heard learn(SottoConfig config, List<String> events) {
    InMemoryRecording.Builder recording = InMemoryRecording.of("events");
    events.forEach(each -> recording.add(0, null, each.getBytes(UTF_8)));
    Heard heard = new Heard();
    new Replay(config.learner(), recording.build()).run(heard);
    return heard;
  }

  /**
   * Every event fills its slot, whatever loss and decoder make of it, and no run ends before its
   * time.
   */
  @ParameterizedTest
  @ValueSource(strings = {"direct", "ordered", "rounds"})
  void learnsOnWhateverTheCodeDoes(String layout) throws Exception {
    List<String> flags = List.of(
        "layout=" + layout,
        "loss=moody",
        "batch.size=10",
        "release.every.slots=10",
        "clip.norm=0.5",
        "metrics.share=0.1");
    SottoConfig config = load(OWN_EVENTS, flags, UserCode.Moody.class, UserCode.Commas.class);
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      events.add(
          i % 7 == 0
              ? "not,numbers"
              : i % 11 == 0 ? "1,NaN,2" : i * 0.01 + "," + (i % 3) + "," + i % 5);
    }
    Heard heard = learn(config, events);
    assertThat(heard.ledger()).hasSize(20);
    assertThat(heard.letters())
        .containsOnly(Map.entry("DECODER_FAILED", 29), Map.entry("NOT_FINITE", 16));
    assertThat(learn(config, events).ledger())
        .extracting(LedgerEntry::round)
        .containsExactlyElementsOf(
            heard.ledger().stream().map(LedgerEntry::round).toList());
    byte[] last = heard.ledger().get(19).snapshotDigest();
    assertThat(learn(config, events).ledger().get(19).snapshotDigest()).isEqualTo(last);
  }

  /** Where no record could ever be used, a command ends at once and says what is missing. */
  @Test
  void endsWhereAClassIsMissing() throws Exception {
    Path yaml = Files.writeString(folder.resolve("own.yaml"), OWN_EVENTS);
    Path events = Files.writeString(folder.resolve("events.jsonl"), "{}\n".repeat(20));
    StringWriter errors = new StringWriter();
    CommandLine line = Main.commandLine()
        .setOut(new PrintWriter(new StringWriter()))
        .setErr(new PrintWriter(errors));
    int code = UserCode.with(
        folder,
        () -> line.execute("replay", events.toString(), "-c", yaml.toString(), "--throwaway-key"),
        UserCode.Unpacked.class);
    assertThat(errors.toString())
        .contains("the decoder commas cannot be run", "org/example/Parser", "on the class path");
    assertThat(code).isEqualTo(ExitCode.CONFIGURATION.code());
  }
}
