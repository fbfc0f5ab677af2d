package dev.sotto.topology.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.topology.failure.SottoException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class TopicSetupTest {
  /** No broker listens there: an admin client asks nothing by itself. */
  private static final Map<String, Object> NOWHERE = Map.of("bootstrap.servers", "127.0.0.1:1");

  private static KafkaFuture<String> failing(Exception why) {
    KafkaFutureImpl<String> future = new KafkaFutureImpl<>();
    future.completeExceptionally(why);
    return future;
  }

  @Test
  void asksAgainWhereABrokerHasNotHeardOfATopicYet() {
    Deque<KafkaFuture<String>> answers = new ArrayDeque<>(List.of(
        failing(new UnknownTopicOrPartitionException()),
        failing(new UnknownTopicOrPartitionException()),
        KafkaFuture.completedFuture("known")));
    try (Admin admin = Admin.create(NOWHERE)) {
      TopicSetup topics = new TopicSetup(admin, "nowhere", (short) 1);
      String answer = topics.patiently(answers::remove, "ask", 600);
      assertThat(answer).isEqualTo("known");
      assertThatThrownBy(
              () -> topics.patiently(() -> failing(new InvalidTopicException("wrong")), "ask"))
          .isInstanceOf(SottoException.class)
          .hasMessageContaining("1 to 249 letters");
    }
    assertThat(answers).isEmpty();
  }
}
