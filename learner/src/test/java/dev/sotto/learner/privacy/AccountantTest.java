package dev.sotto.learner.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AccountantTest {
  @Test
  void keepsThePublishedNames() {
    assertThat(Arrays.stream(Accountant.values()).map(Accountant::configName))
        .containsExactly("gaussian-dp", "pure", "privacy-loss-distribution", "renyi");
  }

  @Test
  void findsEachByItsName() {
    for (Accountant each : Accountant.values()) {
      assertThat(Accountant.named(each.configName())).contains(each);
      assertThat(each.sentence()).isNotBlank();
    }
    assertThat(Accountant.named("moments")).isEmpty();
  }
}
