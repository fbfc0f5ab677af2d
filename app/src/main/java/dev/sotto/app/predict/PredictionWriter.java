package dev.sotto.app.predict;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.example.RecordStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Scores events, and writes a line of JSON for each. */
public final class PredictionWriter {
  private final JsonGenerator out;
  private final Scorer scorer;
  private final boolean withEvent;
  private final List<String> classes;
  private final Map<RecordStatus, Long> unusable = new EnumMap<>(RecordStatus.class);
  private long events;

  /**
   * Writes to a generator that separates lines.
   *
   * @param withEvent whether each line holds its event too
   */
  public PredictionWriter(JsonGenerator out, Scorer scorer, boolean withEvent) {
    this.out = out;
    this.scorer = scorer;
    this.withEvent = withEvent;
    this.classes = scorer.model().classNames();
  }

  /** Scores one event. */
  public void write(int partition, long offset, byte[] key, byte[] value) {
    RecordStatus status = scorer.score(value);
    events++;
    try {
      out.writeStartObject();
      out.writeNumberField("partition", partition);
      out.writeNumberField("offset", offset);
      if (key != null) {
        out.writeStringField("key", new String(key, StandardCharsets.UTF_8));
      }
      if (status == RecordStatus.USED) {
        prediction();
      } else {
        unusable.merge(status, 1L, Long::sum);
        out.writeStringField("unusable", status.name());
      }
      if (withEvent && value != null) {
        out.writeFieldName("event");
        if (status == RecordStatus.UNREADABLE) { // whatever it is, it is no JSON
          out.writeString(new String(value, StandardCharsets.UTF_8));
        } else {
          out.writeRawValue(new String(value, StandardCharsets.UTF_8));
        }
      }
      out.writeEndObject();
    } catch (IOException broken) {
      throw new UncheckedIOException("predictions cannot be written", broken);
    }
  }

  private void prediction() throws IOException {
    if (scorer.outputs() == 1) {
      out.writeNumberField("prediction", scorer.value());
      return;
    }
    int likeliest = scorer.likeliest();
    if (classes.isEmpty()) {
      out.writeNumberField("prediction", likeliest);
    } else {
      out.writeStringField("prediction", classes.get(likeliest));
    }
    out.writeNumberField("probability", scorer.output(likeliest));
    out.writeArrayFieldStart("probabilities");
    for (int k = 0; k < scorer.outputs(); k++) {
      out.writeNumber(scorer.output(k));
    }
    out.writeEndArray();
  }

  /** How many events were scored. */
  public long events() {
    return events;
  }

  /** What was done, in a line. */
  public String summary() {
    long failed = unusable.values().stream().mapToLong(each -> each).sum();
    return String.format(
        Locale.ROOT,
        "%,d predictions%s",
        events - failed,
        failed == 0
            ? ""
            : String.format(Locale.ROOT, "; %,d events could not be used: ", failed) + unusable);
  }

  /** What a version promises, in words. */
  public static String guarantee(ScoringModel model) {
    Guarantee guarantee = model.guarantee();
    return guarantee.epsilon() < Double.POSITIVE_INFINITY
        ? String.format(
            Locale.ROOT,
            "epsilon %.4f at delta %s for each %s",
            guarantee.epsilon(),
            guarantee.delta(),
            guarantee.unit().configName())
        : "no privacy guarantee";
  }
}
