package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.participation.ColumnDecay;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BltParametersTest {
  private static final BltParameters PAGE = BltParameterSets.HORIZON_2_10_X3.parameters();

  private static double[] list(String numbers) {
    return Arrays.stream(numbers.trim().split("\\s+"))
        .mapToDouble(Double::parseDouble)
        .toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "0.3 0.2, 0.9 0.8 0.7, must have 1 to 16 entries",
    "0.3 0, 0.9 0.8, omega must be positive",
    "0.3 -0.1, 0.9 0.8, omega must be positive",
    "0.3 NaN, 0.9 0.8, omega must be positive",
    "0.3 0.2, 1 0.8, theta must be above 0",
    "0.3 0.2, 0.9 0, theta must be above 0",
    "0.3 0.2, 0.9 -0.1, theta must be above 0",
    "0.3 0.2, 0.9 NaN, theta must be above 0",
    "0.3 0.2, 0.9 0.9, theta must fall from each entry to the next",
    "0.3 0.2, 0.8 0.9, theta must fall from each entry to the next",
    "0.6 0.4, 0.9 0.8, the sum of omega must be below 1",
    "0.3 0.2, 0.9 0.29, the sum of omega/theta must be below 1",
    "Infinity 0.2, 0.9 0.29, the sum of omega must be below 1",
  })
  void refusesWhatIsNoSet(String omega, String theta, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BltParameters.ofTheta(list(omega), list(theta)))
        .withMessageContaining(message);
  }

  @Test
  void namesTheValuesThatItRefuses() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BltParameters.ofTheta(list("0.75 0.5"), list("0.9 0.8")))
        .withMessageContaining("was 1.25 of [0.75, 0.5]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BltParameters.of(list("0.5"), list("0x1p-41")))
        .withMessageContaining("at most 1 - 2^-40");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BltParameters(list("0.5"), list("0.9"), list("0.2")))
        .withMessageContaining("[0.9] beside [0.2]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BltParameters(new double[17], new double[17], new double[17]))
        .withMessageContaining("1 to 16 entries, equally many, but had 17, 17, 17");
  }

  @ParameterizedTest
  @EnumSource
  void holdsEverySetToItsConditions(BltParameterSets each) {
    BltParameters set = each.parameters();
    double[] omega = set.omega();
    double[] theta = set.theta();
    double sum = 0;
    for (int m = 0; m < omega.length; m++) {
      sum += omega[m] / theta[m];
    }
    assertThat(sum).isLessThanOrEqualTo(0.787);
    double[] phi = set.inverse().phi();
    for (int m = 0; m < phi.length; m++) {
      double below = m + 1 < phi.length ? theta[m + 1] : 0;
      assertThat(phi[m]).isGreaterThan(below).isLessThan(theta[m]);
    }
    for (long k = 0; k < 2000; k++) {
      assertThat(set.coefficient(k + 1)).isPositive().isLessThan(set.coefficient(k));
    }
  }

  @ParameterizedTest
  @EnumSource
  void agreesWithTheProductFormulas(BltParameterSets each) {
    BltParameters set = each.parameters();
    double[] theta = set.theta();
    BltInverse inverse = set.inverse();
    double[] phi = inverse.phi();
    double[] oneMinusTheta = set.oneMinusTheta();
    double floor = 1;
    for (int m = 0; m < phi.length; m++) {
      double psi = 1;
      for (int i = 0; i < phi.length; i++) {
        psi *= phi[m] - theta[i];
        psi /= i == m ? 1 : phi[m] - phi[i];
      }
      assertThat(inverse.psi()[m]).isNegative().isCloseTo(psi, within(-2e-7 * psi));
      double g = -psi / (1 - phi[m]);
      assertThat(inverse.g()[m]).isPositive().isCloseTo(g, within(2e-7 * g));
      floor *= oneMinusTheta[m] / (1 - phi[m]);
    }
    assertThat(inverse.floor()).isPositive().isCloseTo(floor, within(2e-7 * floor));
    double[] g = inverse.g();
    assertThat(inverse.floor() + Arrays.stream(g).sum()).isCloseTo(1, within(1e-13)); // b_0
  }

  @Test
  void hasTheCoefficientsOfThePage() {
    double[] c =
        list("1 0.4763757800906875 0.3938067679660075 0.3318148271490993 0.2851305357622118");
    double[] inverse =
        list("1 -0.4763757800906875 -0.1668728841089965 -0.0647206205108939 -0.0305149813974424");
    double[] b =
        list("1 0.5236242199093125 0.3567513358003160 0.2920307152894220 0.2615157338919796");
    for (int k = 0; k < 5; k++) {
      assertThat(PAGE.coefficient(k)).isCloseTo(c[k], within(1e-15));
      assertThat(PAGE.inverse().coefficient(k)).isCloseTo(inverse[k], within(1e-14));
      assertThat(PAGE.inverse().prefixCoefficient(k)).isCloseTo(b[k], within(1e-14));
    }
  }

  @ParameterizedTest
  @EnumSource
  void readsItsOwnLine(BltParameterSets each) {
    String line = each.parameters().toString();
    assertThat(BltParameters.parse(line)).isEqualTo(each.parameters()).hasToString(line);
    assertThat(line).doesNotContain("\n");
    for (BltParameterSets other : BltParameterSets.values()) {
      assertThat(other.parameters().toString().equals(line)).isEqualTo(other == each);
      assertThat(other.parameters().equals(each.parameters())).isEqualTo(other == each);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "omega=[] one-minus-theta=[]",
        "omega=[0x1p-2] one-minus-theta=[]",
        "omega=[0x1p-2,] one-minus-theta=[0x1p-2]",
        "omega=[0x1p-2] one-minus-theta=[0x1p-2] ",
        "omega=[0x1p-2] one-minus-theta=[0x1p-2]\nomega=[]",
        "omega=[0x1p-2 0x1p-3] one-minus-theta=[0x1p-2]",
        "omega=[0x1p1] one-minus-theta=[0x1p-2]",
      })
  void refusesAnyOtherLine(String line) {
    assertThatIllegalArgumentException().isThrownBy(() -> BltParameters.parse(line));
  }

  @Test
  void keepsItsArraysToItself() {
    double[] omega = {0.3};
    double[] oneMinusTheta = {0.25};
    BltParameters set = BltParameters.of(omega, oneMinusTheta);
    omega[0] = 7;
    set.omega()[0] = 7;
    set.theta()[0] = 7;
    set.oneMinusTheta()[0] = 7;
    assertThat(set).isEqualTo(BltParameters.of(new double[] {0.3}, oneMinusTheta));
    assertThat(set.hashCode())
        .isEqualTo(BltParameters.of(new double[] {0.3}, oneMinusTheta).hashCode());
    assertThat(set.memory())
        .isEqualTo(new ColumnDecay(new double[] {0.3}, new double[] {0.75}, new double[] {0.25}));
  }

  @Test
  void namesEverySetOnce() {
    assertThat(Arrays.stream(BltParameterSets.values()).map(BltParameterSets::configName))
        .doesNotHaveDuplicates()
        .contains("anytime-2^20", "anytime-2^24", "horizon-2^6x2", "horizon-2^14x5", "felt-2^12");
    for (BltParameterSets each : BltParameterSets.values()) {
      assertThat(BltParameterSets.named(each.configName())).contains(each);
    }
    assertThat(BltParameterSets.named("anytime-2^31")).isEmpty();
    assertThat(Mechanisms.BLT.make().parameters())
        .isEqualTo(BltParameterSets.ANYTIME_2_30.parameters().toString());
  }
}
