package dev.sotto.replay.play;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
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

class PlayFaultsTest {
  private static final PlayFaults.Place PLACE = new PlayFaults.Place(2, 77);

  private final PlayFaults faults = new PlayFaults(
      new PlaySettings(
          "copy",
          Map.of("bootstrap.servers", "here:1"),
          new Pace.Fastest(),
          PlaySettings.Start.PLAIN,
          false,
          PlaySettings.Bounds.USUAL),
      "sotto-play.copy.ab");

  private void means(ExitCode code, String text, Exception cause) {
    // As the producer wraps it once its transaction is in an error state.
    RuntimeException whole = new KafkaException("cannot execute", new KafkaException(cause));
    RuntimeException known = faults.explained(whole, PLACE);
    assertThat(known)
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(text)
        .hasCause(whole);
    assertThat(((StartFailure) known).exitCode()).isEqualTo(code);
  }

  @Test
  void tellsOneCauseFromAnother() {
    means(ExitCode.IN_USE, "taken over", new ProducerFencedException("x"));
    means(ExitCode.IN_USE, "taken over", new InvalidProducerEpochException("x"));
    means(
        ExitCode.FORBIDDEN, "write to topic copy", new TopicAuthorizationException(Set.of("copy")));
    means(
        ExitCode.FORBIDDEN,
        "transactional id sotto-play.copy.ab",
        new TransactionalIdAuthorizationException("x"));
    means(
        ExitCode.FORBIDDEN,
        "group sotto-play.copy.ab",
        GroupAuthorizationException.forGroupId("sotto-play.copy.ab"));
    means(ExitCode.FORBIDDEN, "play into topic copy", new SaslAuthenticationException("x"));
    means(
        ExitCode.TOPIC,
        "partition 2, offset 77 of the recording is larger",
        new RecordTooLargeException("x"));
    means(ExitCode.TOPIC, "partition 2, offset 77", new InvalidTimestampException("x"));
    means(ExitCode.TOPIC, "partition 2, offset 77", new InvalidRecordException("x"));
    means(ExitCode.UNREACHABLE, "no broker answered at here:1", new TimeoutException("x"));
    means(ExitCode.UNEXPECTED, "goes on behind the last record", new IllegalStateException("x"));
  }

  @Test
  void leavesAloneWhatIsNotKafkas() {
    RuntimeException own = new IllegalStateException("a bug");
    assertThat(faults.explained(own, null)).isSameAs(own);
    StartFailure known = new StartFailure(ExitCode.TOPIC, "told already");
    assertThat(faults.explained(known, PLACE)).isSameAs(known);
  }
}
