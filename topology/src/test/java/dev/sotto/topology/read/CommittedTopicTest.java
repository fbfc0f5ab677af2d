package dev.sotto.topology.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class CommittedTopicTest {
  @Test
  void tellsWhatIsForbiddenFromWhatIsOutOfReach() {
    assertThat(code(new SaslAuthenticationException("no"))).isEqualTo(FailureKind.FORBIDDEN);
    assertThat(code(new SaslAuthenticationException("no", new IllegalStateException("deeper"))))
        .isEqualTo(FailureKind.FORBIDDEN);
    assertThat(code(new KafkaException("wrapped", new SaslAuthenticationException("no"))))
        .isEqualTo(FailureKind.FORBIDDEN);
    assertThat(code(new TopicAuthorizationException("t"))).isEqualTo(FailureKind.FORBIDDEN);
    assertThat(code(new TimeoutException("late"))).isEqualTo(FailureKind.UNREACHABLE);
    assertThat(code(new KafkaException("odd"))).isEqualTo(FailureKind.UNREACHABLE);
    assertThat(code(new KafkaException("fetch", new CorruptRecordException("crc"))))
        .isEqualTo(FailureKind.UNVERIFIED);
  }

  @Test
  void leavesWhatIsNotKafkasAlone() {
    RuntimeException own = new IllegalStateException("the visitor's");
    assertThat(CommittedTopic.explained(own, true, "t", "b:1")).isSameAs(own);
    RuntimeException stop = new InterruptException("stop");
    assertThat(CommittedTopic.explained(stop, true, "t", "b:1")).isSameAs(stop);
    Thread.interrupted(); // InterruptException sets it
  }

  private static FailureKind code(RuntimeException failed) {
    RuntimeException told = CommittedTopic.explained(failed, true, "t", "b:1");
    assertThat(told).isInstanceOf(SottoException.class).hasCause(failed);
    return ((SottoException) told).kind();
  }
}
