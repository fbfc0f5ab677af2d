package dev.sotto.app.scoring;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sotto.client.Scorer;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.settings.NameSuggestion;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which fields of a model none of some events has, as where a column has another name now: such
 * events are scored all the same where the fields are optional.
 */
public final class AbsentFields {
  private static final int MOST_NAMES = 1000;

  /** Of events whose fields were read. */
  private static final Set<RecordStatus> READ = EnumSet.of(
      RecordStatus.USED,
      RecordStatus.MISSING_FIELD,
      RecordStatus.WRONG_TYPE,
      RecordStatus.NOT_FINITE);

  private final Scorer scorer;
  private List<String> absent = List.of();
  private byte[] first; // event whose fields were read

  /** Of no events yet. */
  public AbsentFields(Scorer scorer) {
    this.scorer = scorer;
  }

  /** Looks at the event that was scored last. */
  public void scored(byte[] event, RecordStatus status) {
    if (first != null && absent.isEmpty() || !READ.contains(status)) {
      return;
    }
    List<String> now = scorer.absentFields();
    if (first == null) {
      first = event;
      absent = now;
    } else {
      absent.retainAll(now);
    }
  }

  /** Fields that none of the events has; none where no event could be read. */
  public List<String> names() {
    return absent;
  }

  /**
   * What to look at; empty where each field is in some event.
   *
   * @param events that there were
   */
  public Optional<String> warning(long events) {
    if (absent.isEmpty()) {
      return Optional.empty();
    }
    List<String> there = paths(first);
    there.removeAll(scorer.model().fields());
    return Optional.of(String.format(Locale.ROOT, "warning: none of %,d events has ", events)
        + absent.stream()
            .map(each -> "the field " + each + suggestion(NameSuggestion.of(each, there)))
            .collect(Collectors.joining(", nor "))
        + "; the model has learned from it, and counts it as missing. Give the column the name that"
        + " it had when the model learned");
  }

  private static String suggestion(String nearest) {
    return nearest == null ? "" : " (there is " + nearest + ")";
  }

  /** The paths of the fields of an event; none where it is no JSON. */
  private static List<String> paths(byte[] event) {
    List<String> paths = new ArrayList<>();
    Deque<String> above = new ArrayDeque<>();
    try (JsonParser parser = new JsonFactory().createParser(event)) {
      for (JsonToken token = parser.nextToken();
          token != null && paths.size() < MOST_NAMES;
          token = parser.nextToken()) {
        if (token == JsonToken.FIELD_NAME) {
          String path = (above.isEmpty() ? "" : above.peek()) + parser.currentName();
          paths.add(path);
          if (parser.nextToken() == JsonToken.START_OBJECT) {
            above.push(path + ".");
          } else {
            parser.skipChildren();
          }
        } else if (token == JsonToken.END_OBJECT && !above.isEmpty()) {
          above.pop();
        }
      }
    } catch (IOException noJson) {
      return paths; // of Avro there are no names to compare with
    }
    return paths;
  }
}
