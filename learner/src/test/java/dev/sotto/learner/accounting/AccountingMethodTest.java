package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AccountingMethodTest {
  @Test
  void keepsThePublishedNames() {
    assertThat(Arrays.stream(AccountingMethod.values()).map(AccountingMethod::configName))
        .containsExactly(
            "gaussian-dp", "approximate-gaussian-dp", "pure", "privacy-loss-distribution");
  }
}
