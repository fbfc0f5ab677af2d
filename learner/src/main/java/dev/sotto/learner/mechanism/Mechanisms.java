package dev.sotto.learner.mechanism;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every mechanism that a plan can name, with its settings. */
public enum Mechanisms {
  INDEPENDENT(
      "the price is constant and the error grows as the root of the rounds", IndependentNoise::new),
  LAPLACE("the same, with a pure epsilon and gradients cut in l1", LaplaceNoise::new),
  BINARY_TREE("costs more with every doubling of the rounds", BinaryTree::new),
  BLT(
      "nearly the smallest error at every round, at a price with a limit on an endless stream",
      () -> new Blt(BltParameterSets.DEFAULT.parameters())) {
    @Override
    public Optional<ConfigKey<?>> parameterKey() {
      return Optional.of(Blt.SET);
    }

    @Override
    PrefixMechanism configured(Settings settings) {
      return new Blt(settings.get(Blt.SET).parameters());
    }

    @Override
    public List<String> sets() {
      return Arrays.stream(BltParameterSets.values())
          .map(BltParameterSets::configName)
          .toList();
    }

    @Override
    public List<String> sets(long horizon) {
      return BltParameterSets.candidates(horizon).stream()
          .map(BltParameterSets::configName)
          .toList();
    }

    @Override
    public Optional<String> endlessSet() {
      return Optional.of(BltParameterSets.ENDLESS.configName());
    }

    @Override
    Optional<PrefixMechanism> ofSet(String set) {
      return BltParameterSets.named(set).map(each -> new Blt(each.parameters()));
    }

    @Override
    PrefixMechanism parse(String parameters) {
      return new Blt(BltParameters.parse(parameters));
    }
  };

  public static final ConfigKey<Mechanisms> MECHANISM = ConfigKey.of(
          "privacy.mechanism",
          Domain.choice(values(), Mechanisms::configName),
          "How the noise of a prefix of rounds is put together. "
              + Arrays.stream(values())
                  .map(each -> "`" + each.configName() + "`: " + each.purpose)
                  .collect(Collectors.joining("; "))
              + " (docs/privacy.md).")
      .orElse(BLT);

  private final String purpose;
  private final Supplier<PrefixMechanism> maker;

  Mechanisms(String purpose, Supplier<PrefixMechanism> maker) {
    this.purpose = purpose;
    this.maker = maker;
  }

  /** The setting of the mechanism and those of its parameters, each only with its own. */
  public static List<ConfigKey<?>> keys() {
    return Stream.concat(
            Stream.of(MECHANISM),
            Arrays.stream(values())
                .flatMap(
                    each -> each.parameterKey().stream().map(key -> key.onlyWith(MECHANISM, each))))
        .toList();
  }

  /** The chosen mechanism, with its parameters. */
  public static PrefixMechanism read(Settings settings) {
    return settings.get(MECHANISM).configured(settings);
  }

  /** The names of all mechanisms with a property, for sentences: "a, b and c". */
  public static String names(Predicate<PrefixMechanism> property) {
    String names = Arrays.stream(values())
        .map(Mechanisms::make)
        .filter(property)
        .map(Mechanism::name)
        .collect(Collectors.joining(", "));
    return names.replaceFirst(", ([^,]*)$", " and $1");
  }

  /** The setting of its parameters; empty where there are none. */
  public Optional<ConfigKey<?>> parameterKey() {
    return Optional.empty();
  }

  /** The mechanism with the parameters that the settings choose. */
  PrefixMechanism configured(Settings settings) {
    return make();
  }

  /** The mechanism, with its default parameters where it has some. */
  public PrefixMechanism make() {
    return maker.get();
  }

  /** The names of the parameter sets to choose from; none where the mechanism has no parameters. */
  public List<String> sets() {
    return List.of();
  }

  /** Those of {@link #sets()} that are worth comparing for a horizon, the default first. */
  public List<String> sets(long horizon) {
    return List.of();
  }

  /**
   * The name of the set that new configurations have for a stream without an end. The default is
   * what those of earlier versions mean.
   */
  public Optional<String> endlessSet() {
    return Optional.empty();
  }

  /**
   * The mechanism with a parameter set.
   *
   * @throws IllegalArgumentException where {@link #sets()} lacks it
   */
  public PrefixMechanism make(String set) {
    return ofSet(set)
        .orElseThrow(() -> new IllegalArgumentException(
            "parameter set of " + configName() + " must be one of " + sets() + ", but was " + set));
  }

  /** The same; empty where {@link #sets()} lacks it. */
  Optional<PrefixMechanism> ofSet(String set) {
    return Optional.empty();
  }

  /** The mechanism of the parameters that {@link Mechanism#parameters()} gave. */
  PrefixMechanism parse(String parameters) {
    PrefixMechanism mechanism = make();
    if (!mechanism.parameters().equals(parameters)) {
      throw new IllegalArgumentException(
          "unknown parameters of mechanism " + configName() + ": " + parameters);
    }
    return mechanism;
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

  /**
   * The mechanism {@link #BLT} with parameters of choice, as of
   * {@link BltParameterSets#parameters()}.
   */
  public static PrefixMechanism blt(BltParameters parameters) {
    return new Blt(parameters);
  }

  /**
   * The mechanism that a ledger entry names: one that a plan can name, or one that belongs to an
   * algorithm.
   *
   * @param parameters what {@link Mechanism#parameters()} gave
   * @throws IllegalArgumentException where there is none of that name with those parameters
   */
  public static Mechanism of(String name, String parameters) {
    Optional<QueryMechanism> own = ofQueries(name, parameters);
    return own.isPresent() ? own.get() : ofPlan(name, parameters);
  }

  /**
   * The mechanism that a ledger entry names, where it belongs to an algorithm; empty for any other.
   *
   * @throws IllegalArgumentException where the parameters cannot be read
   */
  public static Optional<QueryMechanism> ofQueries(String name, String parameters) {
    return Optional.ofNullable(
        switch (name) {
          case QueryNoise.NAME -> new QueryNoise(QuerySchedule.parse(parameters));
          case SampledQueryNoise.NAME -> new SampledQueryNoise(QuerySchedule.parse(parameters));
          case PathNoise.NAME -> PathNoise.parse(parameters);
          case CallNoise.NAME -> CallNoiseLine.parse(parameters);
          case MomentumTree.NAME -> MomentumTree.parse(parameters);
          case WindowTree.NAME -> WindowTree.parse(parameters);
          default -> null;
        });
  }

  /**
   * The queries of a block, where a ledger entry names a mechanism with fresh noise on each of
   * them; empty for any other mechanism.
   *
   * @throws IllegalArgumentException where they cannot be read
   */
  public static Optional<QuerySchedule> queries(String name, String parameters) {
    return ofQueries(name, parameters).flatMap(QueryMechanism::answers).map(AnswerNoise::schedule);
  }

  private static PrefixMechanism ofPlan(String name, String parameters) {
    return named(name)
        .orElseThrow(() -> new IllegalArgumentException("unknown mechanism: " + name))
        .parse(parameters);
  }

  /**
   * No noise: for a reference model on public data, beside a private one. It guarantees nothing.
   */
  public static PrefixMechanism noneForPublicData() {
    return new NoNoise();
  }
}
