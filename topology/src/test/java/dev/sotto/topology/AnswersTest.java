package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class AnswersTest {
  @Test
  void saysWhatATopicMayBeCalled() {
    KafkaFutureImpl<Void> refused = new KafkaFutureImpl<>();
    refused.completeExceptionally(new InvalidTopicException("an invalid topic"));
    assertThatThrownBy(() -> new Answers("broker:9092").await(refused, "describe topic a b"))
        .isInstanceOfSatisfying(
            StartFailure.class, failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.TOPIC))
        .hasMessageContaining("could not describe topic a b on broker:9092: a topic's name has");
  }
}
