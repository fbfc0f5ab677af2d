package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DeadTransactionsTest {
  private static final String ONE = "7a7a4de8-b3e9-43a7-9d80-8291cdb1af42";
  private static final String OTHER = "759c911a-fbf4-4085-abf6-8bd4b047f80e";

  private static String client(String app, String process) {
    return app + "-" + process + "-StreamThread-1-consumer";
  }

  @Test
  void endsThoseWhoseProcessTheGroupDoesNotHave() {
    List<String> open = List.of("flights-" + ONE + "-1", "flights-" + OTHER + "-2");
    assertThat(DeadTransactions.dead("flights", open, List.of(client("flights", ONE))))
        .containsExactly("flights-" + OTHER + "-2");
    assertThat(DeadTransactions.dead("flights", open, List.of()))
        .containsExactlyInAnyOrderElementsOf(open);
  }

  @Test
  void leavesOtherApplicationsAndOtherProducersAlone() {
    List<String> open = List.of(
        "flights-test-" + OTHER + "-1",
        "flights-genesis",
        "other-" + OTHER + "-1",
        "flights-" + OTHER,
        "flights-" + OTHER + "-1-x",
        "writer");
    assertThat(DeadTransactions.dead("flights", open, List.of())).isEmpty();
  }

  @Test
  void takesNobodyForDeadWhereAMemberDoesNotNameItsProcess() {
    List<String> open = List.of("flights-" + OTHER + "-1");
    assertThat(DeadTransactions.dead(
            "flights", open, List.of(client("flights", ONE), "mine-StreamThread-1-consumer")))
        .isEmpty();
    assertThat(DeadTransactions.dead("flights", open, List.of(client("flights-test", ONE))))
        .isEmpty();
  }
}
