package dev.sotto.app.scoring;

import dev.sotto.client.Scorer;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.event.UnreadableValue;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Headers;

/** Writes a line for each event: where it stands, and what is predicted or why nothing is. */
public final class PredictionLines {
  /** Statuses on events that were JSON to their end. */
  private static final Set<RecordStatus> WHOLE =
      EnumSet.of(RecordStatus.USED, RecordStatus.MISSING_FIELD, RecordStatus.WRONG_TYPE);

  private final Scorer scorer;
  private final boolean csv;
  private final boolean withEvent;
  private final PrintWriter out;
  private final Map<RecordStatus, Long> faults = new EnumMap<>(RecordStatus.class);
  private final boolean readsJson;
  private final long version;
  private final AbsentFields absent;
  private long events;
  private Optional<String> guess = Optional.empty(); // what the first unreadable one looks like

  /**
   * Lines of one version's predictions.
   *
   * @param csv whether they are CSV, with a header, instead of JSON
   * @param withEvent whether lines of JSON hold their events, which are JSON too
   */
  public PredictionLines(Scorer scorer, boolean csv, boolean withEvent, PrintWriter out) {
    this.scorer = scorer;
    this.csv = csv;
    this.withEvent = withEvent;
    this.out = out;
    this.version = scorer.model().version();
    this.absent = new AbsentFields(scorer);
    this.readsJson = scorer.model().manifest().features().contains("\nevents json\n");
    if (csv) {
      out.print("partition,offset,key,version,prediction,probability,unusable");
      for (int k = 0; scorer.outputs() > 1 && k < scorer.outputs(); k++) {
        out.print(",probability" + k);
      }
      out.print('\n');
    }
  }

  /** Scores one event, and writes its line. */
  public void add(int partition, long offset, byte[] key, byte[] value, Headers headers) {
    events++;
    byte[] framed = scorer.framed(value, headers);
    RecordStatus status = scorer.score(framed);
    absent.scored(framed, status);
    Map<String, Object> fields = status == RecordStatus.USED
        ? PredictionText.fields(scorer)
        : PredictionText.fields(status, scorer.fault(framed, status));
    if (status != RecordStatus.USED) {
      faults.merge(status, 1L, Long::sum);
    }
    if (status == RecordStatus.UNREADABLE && readsJson && guess.isEmpty()) {
      guess = UnreadableValue.guess(value);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("partition", partition);
    all.put("offset", offset);
    if (key != null) {
      all.put("key", new String(key, StandardCharsets.UTF_8));
    }
    all.put("version", version);
    all.putAll(fields);
    if (csv) {
      row(all);
    } else {
      StringBuilder json = new StringBuilder("{");
      PredictionText.append(json, all);
      if (withEvent && value != null) {
        event(json, value, status);
      }
      out.print(json.append("}\n"));
    }
  }

  /** JSON as it is, in one line; what is not known to be JSON as a text. */
  private static void event(StringBuilder json, byte[] value, RecordStatus status) {
    String text = new String(value, StandardCharsets.UTF_8);
    if (WHOLE.contains(status)) {
      json.append(",\"event\":").append(text.replace('\n', ' ').replace('\r', ' '));
    } else {
      PredictionText.append(json, Map.of("event", text));
    }
  }

  private void row(Map<String, Object> fields) {
    StringBuilder row = new StringBuilder();
    for (String name :
        List.of("partition", "offset", "key", "version", "prediction", "probability", "unusable")) {
      row.append(row.isEmpty() ? "" : ",").append(cell(fields.get(name)));
    }
    if (fields.get("probabilities") instanceof List<?> all) {
      all.forEach(each -> row.append(',').append(cell(each)));
    } else if (scorer.outputs() > 1) {
      row.append(",".repeat(scorer.outputs()));
    }
    out.print(row.append('\n'));
  }

  private static String cell(Object value) {
    String text = value == null ? "" : value.toString();
    return text.matches("(?s).*[\",\r\n].*") ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }

  /** Whether there were events, and nothing could be predicted for any. */
  public boolean isUseless() {
    return events > 0 && faults.values().stream().mapToLong(Long::longValue).sum() == events;
  }

  /** What to look at where fields of the model are in none of the events; empty elsewhere. */
  public Optional<String> warning() {
    return absent.warning(events);
  }

  /** How many events there were, and what was wrong with some. */
  public String summary() {
    long wrong = faults.values().stream().mapToLong(Long::longValue).sum();
    Guarantee guarantee = scorer.model().guarantee();
    String text = String.format(
        Locale.ROOT,
        "%s@%d (epsilon %s at delta %s for %s) predicted for %,d of %,d events",
        scorer.model().modelId(),
        version,
        GuaranteeFigures.up(guarantee.epsilon(), 4),
        GuaranteeFigures.upShort(guarantee.delta(), 3),
        guarantee.unit().sentence(),
        events - wrong,
        events);
    if (wrong == 0) {
      return text;
    }
    String reasons = faults.entrySet().stream()
        .map(each -> String.format(Locale.ROOT, "%s %,d", each.getKey(), each.getValue()))
        .collect(Collectors.joining(", "));
    return text + "; not for: " + reasons
        + guess.map(each -> "; of the first that is UNREADABLE, " + each).orElse("")
        + (isUseless() ? "; it learns from these fields: " + fields() : "");
  }

  private String fields() {
    List<String> fields = scorer.model().fields();
    return fields.isEmpty() ? "none, but from ready-made examples" : String.join(", ", fields);
  }
}
