package dev.sotto.app.scoring;

import dev.sotto.client.ModelChoice;
import dev.sotto.topology.settings.Layout;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is scored, and with which model.
 *
 * @param clients Kafka client and Streams settings, bootstrap.servers at least
 * @param model where the model comes from
 * @param topics what is read and written
 * @param streams how it runs
 * @param schemas of Avro events
 */
public record ScoreSettings(
    Map<String, String> clients,
    Model model,
    Topics topics,
    Streams streams,
    EventSchemas schemas) {
  public ScoreSettings {
    clients = Map.copyOf(clients);
    Set<String> own = Layout.ownTopics(model.app());
    Stream.concat(Stream.of(topics.to()), topics.deadLetters().stream())
        .filter(own::contains)
        .forEach(each -> {
          throw new IllegalArgumentException("predictions and dead letters must go to none of the"
              + " learner's own topics, but " + each + " is one: what others write there cannot"
              + " be taken out again; name another topic");
        });
  }

  /**
   * The published model.
   *
   * @param app the learner's app.id
   * @param choice which of its versions
   */
  public record Model(String app, ModelChoice choice) {
    public Model {
      Objects.requireNonNull(app, "app");
      Objects.requireNonNull(choice, "choice");
    }
  }

  /**
   * Topics of events and predictions.
   *
   * @param from the events
   * @param to the predictions
   * @param deadLetters events that cannot be scored; empty where their errors go among the
   *     predictions
   */
  public record Topics(String from, String to, Optional<String> deadLetters) {
    public Topics {
      if (from.equals(to) || deadLetters.filter(each -> each.equals(from)).isPresent()) {
        throw new IllegalArgumentException(
            "events must come from another topic than predictions go to, but both are " + from);
      }
    }
  }

  /**
   * The Streams application.
   *
   * @param id its application.id: it goes on where one of the same id has ended
   * @param threads at least 1
   * @param fromLatest whether a new one begins with what comes from now on
   * @param replication of topics that are created; -1 for the broker's default
   */
  public record Streams(String id, int threads, boolean fromLatest, short replication) {
    public Streams {
      if (threads < 1) {
        throw new IllegalArgumentException("threads must be at least 1, but were " + threads);
      }
    }
  }
}
