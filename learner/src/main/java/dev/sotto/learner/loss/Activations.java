package dev.sotto.learner.loss;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Every activation that a plan can name. */
public enum Activations implements Activation {
  TANH {
    @Override
    public double value(double input) {
      return StrictMath.tanh(input);
    }

    @Override
    public double slope(double input) {
      double inverse = 1 / StrictMath.cosh(input); // 0 where cosh overflows
      return inverse * inverse;
    }
  },
  SIGMOID {
    @Override
    public double value(double input) {
      return LOGISTIC.predict(input);
    }

    @Override
    public double slope(double input) {
      return LOGISTIC.predict(input) * LOGISTIC.predict(-input);
    }
  },
  /** ln(1 + e^a). */
  SOFTPLUS {
    @Override
    public double value(double input) {
      return LOGISTIC.value(input, 0);
    }

    @Override
    public double slope(double input) {
      return LOGISTIC.predict(input);
    }
  },
  /** a times sigmoid(a), also called SiLU. */
  SWISH {
    @Override
    public double value(double input) {
      return input * LOGISTIC.predict(input);
    }

    @Override
    public double slope(double input) {
      double share = LOGISTIC.predict(input);
      return share + input * (share * LOGISTIC.predict(-input));
    }
  },
  /**
   * a / 2 (1 + tanh(sqrt(2 / pi) (a + 0.044715 a^3))): Hendrycks, Gimpel, "Gaussian Error Linear
   * Units".
   */
  GELU {
    @Override
    public double value(double input) {
      return input * LOGISTIC.predict(2 * inner(input));
    }

    @Override
    public double slope(double input) {
      double argument = 2 * inner(input);
      double share = LOGISTIC.predict(argument);
      double rest = LOGISTIC.predict(-argument);
      double curved = share * rest; // 0 long before the cubic's slope overflows
      return curved == 0
          ? share
          : share + input * curved * 2 * ROOT * (1 + 3 * CUBIC * input * input);
    }

    private double inner(double input) {
      return ROOT * (input + CUBIC * input * input * input);
    }
  };

  private static final Logistic LOGISTIC = new Logistic();
  private static final double ROOT = Math.sqrt(2 / Math.PI);
  private static final double CUBIC = 0.044715;

  /** The name in configurations. */
  public String configName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The activation of a configured name, or empty where there is none of that name. */
  public static Optional<Activations> named(String name) {
    return Arrays.stream(values())
        .filter(each -> each.configName().equals(name))
        .findFirst();
  }
}
