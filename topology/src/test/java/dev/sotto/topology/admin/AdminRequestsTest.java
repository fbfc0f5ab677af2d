package dev.sotto.topology.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class AdminRequestsTest {
  @Test
  void saysWhatATopicMayBeCalled() {
    KafkaFutureImpl<Void> refused = new KafkaFutureImpl<>();
    refused.completeExceptionally(new InvalidTopicException("an invalid topic"));
    assertThatThrownBy(() -> new AdminRequests("broker:9092").await(refused, "describe topic a b"))
        .isInstanceOfSatisfying(
            SottoException.class,
            failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC))
        .hasMessageContaining("could not describe topic a b on broker:9092: a topic's name has");
  }
}
