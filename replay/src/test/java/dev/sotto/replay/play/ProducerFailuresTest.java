package dev.sotto.replay.play;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.junit.jupiter.api.Test;

class ProducerFailuresTest {
  private static final ProducerFailures.Place PLACE = new ProducerFailures.Place(2, 77);

  private final ProducerFailures faults = new ProducerFailures(
      new PlaySettings(
          "copy",
          Map.of("bootstrap.servers", "here:1"),
          new PlaybackRate.Fastest(),
          PlaySettings.Start.PLAIN,
          false,
          PlaySettings.Bounds.USUAL),
      "sotto-play.copy.ab");

  private void means(FailureKind code, String text, Exception cause) {
    // As the producer wraps it once its transaction is in an error state.
    RuntimeException whole = new KafkaException("cannot execute", new KafkaException(cause));
    RuntimeException known = faults.explained(whole, PLACE);
    assertThat(known)
        .isInstanceOf(SottoException.class)
        .hasMessageContaining(text)
        .hasCause(whole);
    assertThat(((SottoException) known).kind()).isEqualTo(code);
  }

  @Test
  void tellsOneCauseFromAnother() {
    means(FailureKind.IN_USE, "taken over", new ProducerFencedException("x"));
    means(FailureKind.IN_USE, "taken over", new InvalidProducerEpochException("x"));
    means(
        FailureKind.FORBIDDEN,
        "write to topic copy",
        new TopicAuthorizationException(Set.of("copy")));
    means(
        FailureKind.FORBIDDEN,
        "transactional id sotto-play.copy.ab",
        new TransactionalIdAuthorizationException("x"));
    means(
        FailureKind.FORBIDDEN,
        "group sotto-play.copy.ab",
        GroupAuthorizationException.forGroupId("sotto-play.copy.ab"));
    means(FailureKind.FORBIDDEN, "play into topic copy", new SaslAuthenticationException("x"));
    means(
        FailureKind.TOPIC,
        "partition 2, offset 77 of the recording is larger",
        new RecordTooLargeException("x"));
    means(FailureKind.TOPIC, "partition 2, offset 77", new InvalidTimestampException("x"));
    means(FailureKind.TOPIC, "partition 2, offset 77", new InvalidRecordException("x"));
    means(FailureKind.UNREACHABLE, "no broker answered at here:1", new TimeoutException("x"));
    means(
        FailureKind.UNEXPECTED, "continues after the last record", new IllegalStateException("x"));
  }

  @Test
  void leavesAloneWhatIsNotKafkas() {
    RuntimeException own = new IllegalStateException("a bug");
    assertThat(faults.explained(own, null)).isSameAs(own);
    SottoException known = new SottoException(FailureKind.TOPIC, "told already");
    assertThat(faults.explained(known, PLACE)).isSameAs(known);
  }
}
