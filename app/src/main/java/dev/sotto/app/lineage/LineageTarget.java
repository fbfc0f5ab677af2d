package dev.sotto.app.lineage;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;

/** Where events are to go: a file, an endpoint, or a topic. */
public final class LineageTarget {
  private static final String TOPIC = "topic:";

  private final String to;
  private final Optional<Path> position;
  private final Optional<String> token;

  /**
   * A destination.
   *
   * @param to {@code topic:NAME}, {@code http://...} or {@code https://...}, or a file
   * @param position where it is kept what an endpoint has taken: for endpoints, which do not tell
   * @param token of an endpoint
   * @throws SottoException where these do not fit each other
   */
  public LineageTarget(String to, Optional<Path> position, Optional<String> token) {
    this.to = to;
    this.position = position;
    this.token = token;
    if (isEndpoint() && position.isEmpty()) {
      throw misused("an endpoint does not tell what it has taken: give --position FILE, where it is"
          + " kept");
    }
    if (!isEndpoint() && (position.isPresent() || token.isPresent())) {
      throw misused("--position and --token-file are for endpoints: a file and a topic tell"
          + " themselves how far they are");
    }
    if (isEndpoint()) {
      endpoint();
    } else if (isTopic()) {
      try {
        Topic.validate(topic());
      } catch (InvalidTopicException wrong) {
        throw misused("--to topic:NAME must name a topic: " + wrong.getMessage());
      }
    }
  }

  private boolean isEndpoint() {
    return to.startsWith("http://") || to.startsWith("https://");
  }

  private boolean isTopic() {
    return to.startsWith(TOPIC);
  }

  private String topic() {
    return to.substring(TOPIC.length());
  }

  private URI endpoint() {
    try {
      URI endpoint = URI.create(to);
      if (endpoint.getHost() != null && endpoint.getUserInfo() == null) {
        return endpoint;
      }
    } catch (IllegalArgumentException wrong) {
      throw misused("--to must be a URL, but was not: " + wrong.getMessage());
    }
    throw misused("--to must be a URL with a host and without a password, but was " + to);
  }

  /**
   * Refuses a topic that means something else.
   *
   * @param taken the learner's
   * @throws SottoException where it is one of them
   */
  public void requireNone(Set<String> taken) {
    if (isTopic() && taken.contains(topic())) {
      throw misused("--to must name a topic of its own, but " + topic() + " is one of the learner");
    }
  }

  LineageSink open(Map<String, String> clients, LineageNames names) {
    if (isEndpoint()) {
      return new HttpSink(endpoint(), token, position.orElseThrow(), names.ledger());
    }
    if (!isTopic()) {
      return new FileSink(Path.of(to), names.ledger());
    }
    return new TopicSink(clients, topic(), names.ledger(), names.app() + "-lineage");
  }

  @Override
  public String toString() {
    return to;
  }

  private static SottoException misused(String what) {
    return new SottoException(FailureKind.USAGE, what);
  }
}
