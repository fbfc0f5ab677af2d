package dev.sotto.app.scoring;

import dev.sotto.client.Scorer;
import dev.sotto.learner.example.RecordStatus;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes a line for each event: where it stands, and what is predicted or why nothing is. */
public final class PredictionLines {
  private final Scorer scorer;
  private final boolean csv;
  private final PrintWriter out;
  private final Map<RecordStatus, Long> faults = new EnumMap<>(RecordStatus.class);
  private final long version;
  private long events;

  /**
   * Lines of one version's predictions.
   *
   * @param csv whether they are CSV, with a header, instead of JSON
   */
  public PredictionLines(Scorer scorer, boolean csv, PrintWriter out) {
    this.scorer = scorer;
    this.csv = csv;
    this.out = out;
    this.version = scorer.model().version();
    if (csv) {
      out.print("partition,offset,key,version,prediction,value,class,error");
      for (int k = 0; scorer.outputs() > 1 && k < scorer.outputs(); k++) {
        out.print(",probability" + k);
      }
      out.print('\n');
    }
  }

  /** Scores one event, and writes its line. */
  public void add(int partition, long offset, byte[] key, byte[] value) {
    events++;
    RecordStatus status = scorer.score(value);
    Map<String, Object> fields = status == RecordStatus.USED
        ? PredictionText.fields(scorer)
        : PredictionText.fields(status);
    if (status != RecordStatus.USED) {
      faults.merge(status, 1L, Long::sum);
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
      out.print(json.append("}\n"));
    }
  }

  private void row(Map<String, Object> fields) {
    StringBuilder row = new StringBuilder();
    for (String name :
        List.of("partition", "offset", "key", "version", "prediction", "value", "class", "error")) {
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

  /** How many events there were, and what was wrong with some. */
  public String summary() {
    long wrong = faults.values().stream().mapToLong(Long::longValue).sum();
    String text = String.format(
        Locale.ROOT,
        "version %d of model %s predicted for %,d of %,d events",
        version,
        scorer.model().modelId(),
        events - wrong,
        events);
    if (wrong == 0) {
      return text;
    }
    String reasons = faults.entrySet().stream()
        .map(each -> String.format(Locale.ROOT, "%s %,d", each.getKey(), each.getValue()))
        .collect(Collectors.joining(", "));
    return text + "; not for: " + reasons
        + (isUseless() ? "; it learns from these fields: " + fields() : "");
  }

  private String fields() {
    List<String> fields = scorer.model().fields();
    return fields.isEmpty() ? "none, but from ready-made examples" : String.join(", ", fields);
  }
}
