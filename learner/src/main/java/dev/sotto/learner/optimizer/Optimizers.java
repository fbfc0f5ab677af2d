package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every algorithm that a plan can name, with its settings. */
public enum Optimizers {
  PRIVATE_FTRL(
      "private-ftrl",
      "many rounds, any convex loss",
      PrivateFtrl.KEYS,
      PrivateFtrl::read,
      of -> List.of()),
  ACCELERATED_DP_SRGD(
      "accelerated-dp-srgd",
      "few rounds of large batches, two gradients per example, smooth losses",
      AcceleratedDpSrgd.KEYS,
      AcceleratedDpSrgd::read,
      of -> List.of()),
  CLIPPED_AC_SA(
      "clipped-ac-sa",
      "blocks in one pass, smooth losses of heavy-tailed data",
      HeavyTailKeys.AC_SA_KEYS,
      HeavyTails::acSa,
      BlockAdvice::heavyTails),
  CLIPPED_SGD(
      "clipped-sgd",
      "blocks in one pass, smooth and strongly convex losses of heavy-tailed data",
      HeavyTailKeys.SGD_KEYS,
      HeavyTails::sgd,
      BlockAdvice::heavyTails),
  PROX_CLIPPED_SGD(
      "prox-clipped-sgd",
      "the same with an l1 term, for weights of which many are 0",
      HeavyTailKeys.PROX_KEYS,
      HeavyTails::prox,
      BlockAdvice::heavyTails),
  LOCALIZED_ERM(
      "localized-erm",
      "blocks in many passes, losses with kinks of heavy-tailed data",
      HeavyTailKeys.LOCALIZED_KEYS,
      HeavyTails::localized,
      BlockAdvice::heavyTails),
  TREE_MOMENTUM_NSGD(
      "tree-momentum-nsgd",
      "steps of one length along a decayed sum; smooth losses that need not be convex",
      MomentumSettings.TREE_KEYS,
      MomentumSettings::tree,
      BlockAdvice::notConvex),
  SENSITIVITY_REDUCED_NSGD(
      "sensitivity-reduced-nsgd",
      "the same with changes of gradients, by default in many passes over blocks",
      MomentumSettings.REDUCED_KEYS,
      MomentumSettings::reduced,
      BlockAdvice::notConvex),
  RESQUE(
      "resque",
      "pools of noisy gradients around one point, reweighted: few rounds over a block",
      Resque.KEYS,
      Resque::read,
      BlockAdvice::resque);

  public static final ConfigKey<Optimizers> ALGORITHM = ConfigKey.of(
          "algorithm",
          Domain.choice(values(), Optimizers::configName),
          "How weights follow from noisy sums of gradients. "
              + Arrays.stream(values())
                  .map(each -> "`" + each.configName + "`: " + each.purpose)
                  .collect(Collectors.joining("; "))
              + " (docs/algorithms.md).")
      .orElse(PRIVATE_FTRL);

  private final String configName;
  private final String purpose;
  private final List<ConfigKey<?>> keys;
  private final BiFunction<Settings, NamedObjective, OptimizerSettings> reader;
  private final Function<AdviceInputs, List<String>> advice;

  Optimizers(
      String configName,
      String purpose,
      List<ConfigKey<?>> keys,
      BiFunction<Settings, NamedObjective, OptimizerSettings> reader,
      Function<AdviceInputs, List<String>> advice) {
    this.configName = configName;
    this.purpose = purpose;
    this.keys = keys;
    this.reader = reader;
    this.advice = advice;
  }

  /**
   * Rounds after which the algorithm restarts where nobody chooses another number; 0 where it does
   * not.
   */
  public long generation() {
    return this == ACCELERATED_DP_SRGD ? AcceleratedDpSrgd.GENERATION : 0;
  }

  /** The settings of all algorithms, each only with those that have it. */
  public static Stream<ConfigKey<?>> keys() {
    return Arrays.stream(values())
        .flatMap(each -> each.keys.stream())
        .distinct()
        .map(key -> key.when(
            ALGORITHM,
            Arrays.stream(values())
                .filter(each -> each.keys.contains(key))
                .toArray(Optimizers[]::new)));
  }

  /** The settings of the chosen algorithm. */
  public static OptimizerSettings read(Settings settings, NamedObjective objective) {
    return settings.get(ALGORITHM).reader.apply(settings, objective);
  }

  /** When another algorithm, or another setting, is the better choice, as sentences. */
  public List<String> advice(AdviceInputs inputs) {
    return advice.apply(inputs);
  }

  /** The setting that bounds how often a slot is read; empty where there is none. */
  public Optional<ConfigKey<?>> passesKey() {
    return keys.contains(HeavyTailKeys.CAP) ? Optional.of(HeavyTailKeys.CAP) : Optional.empty();
  }

  /** The name in configurations, snapshots and ledgers. */
  public String configName() {
    return configName;
  }

  /** The algorithm of a configured name, or empty where there is none of that name. */
  public static Optional<Optimizers> named(String name) {
    return Arrays.stream(values()).filter(each -> each.configName.equals(name)).findFirst();
  }
}
