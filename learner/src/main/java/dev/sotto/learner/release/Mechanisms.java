package dev.sotto.learner.release;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/** Every mechanism that a plan can name. */
public enum Mechanisms {
  INDEPENDENT(IndependentNoise::new),
  LAPLACE(LaplaceNoise::new),
  BINARY_TREE(BinaryTree::new),
  BINARY_TREE_HONAKER(HonakerTree::new),
  BLT(() -> new Blt(BltSets.DEFAULT.parameters()));

  private final Supplier<Mechanism> maker;

  Mechanisms(Supplier<Mechanism> maker) {
    this.maker = maker;
  }

  /** The mechanism. */
  public Mechanism make() {
    return maker.get();
  }

  /** The name in configurations and ledgers. */
  public String configName() {
    return make().name();
  }

  /** The mechanism of a configured name, or empty where there is none of that name. */
  public static Optional<Mechanisms> named(String name) {
    return Arrays.stream(values())
        .filter(each -> each.configName().equals(name))
        .findFirst();
  }

  /** The mechanism {@link #BLT} with parameters of choice, as of {@link BltSets#parameters()}. */
  public static Mechanism blt(BltParameters parameters) {
    return new Blt(parameters);
  }

  /**
   * The mechanism that a ledger entry names.
   *
   * @param parameters what {@link Mechanism#parameters()} gave
   * @throws IllegalArgumentException where there is none of that name with those parameters
   */
  public static Mechanism of(String name, String parameters) {
    if (name.equals(BLT.configName())) {
      return blt(BltParameters.parse(parameters));
    }
    Mechanism mechanism = named(name)
        .orElseThrow(() -> new IllegalArgumentException("unknown mechanism: " + name))
        .make();
    if (!mechanism.parameters().equals(parameters)) {
      throw new IllegalArgumentException(
          "unknown parameters of mechanism " + name + ": " + parameters);
    }
    return mechanism;
  }

  /** No noise: for a reference model on public data, beside a private one. Its guarantee is void. */
  public static Mechanism noneForPublicData() {
    return new NoNoise();
  }
}
