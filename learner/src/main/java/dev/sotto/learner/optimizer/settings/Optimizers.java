package dev.sotto.learner.optimizer.settings;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.BlockSettings;
import dev.sotto.learner.optimizer.OptimizerSettings;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.RoundSettings;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.ConfigKey.Condition;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every algorithm that a plan can name, with its settings. */
public enum Optimizers {
  PRIVATE_FTRL("private-ftrl", "many rounds, any convex loss", PrivateFtrl.KEYS, PrivateFtrl::read),
  ACCELERATED_DP_SRGD(
      "accelerated-dp-srgd",
      "few rounds of large batches, smooth losses",
      AcceleratedDpSrgd.KEYS,
      AcceleratedDpSrgd::read),
  CLIPPED_AC_SA(
      "clipped-ac-sa",
      "blocks of heavy-tailed data, smooth losses",
      HeavyTailKeys.AC_SA_KEYS,
      HeavyTails::acSa),
  CLIPPED_SGD(
      "clipped-sgd",
      "the same for strongly convex losses",
      HeavyTailKeys.SGD_KEYS,
      HeavyTails::sgd),
  PROX_CLIPPED_SGD(
      "prox-clipped-sgd", "the same with an l1 term", HeavyTailKeys.PROX_KEYS, HeavyTails::prox),
  LOCALIZED_ERM(
      "localized-erm",
      "the same in many passes, losses with kinks",
      HeavyTailKeys.LOCALIZED_KEYS,
      HeavyTails::localized),
  TREE_MOMENTUM_NSGD(
      "tree-momentum-nsgd",
      "smooth losses that need not be convex",
      MomentumSettings.TREE_KEYS,
      MomentumSettings::tree),
  SENSITIVITY_REDUCED_NSGD(
      "sensitivity-reduced-nsgd",
      "the same, by default in many passes over blocks",
      MomentumSettings.REDUCED_KEYS,
      MomentumSettings::reduced),
  RESQUE("resque", "few rounds over a block", Resque.KEYS, Resque::read);

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
  private final Reader reader;

  /** Reads the settings of one algorithm, checked. */
  private interface Reader {
    OptimizerSettings read(Settings settings, NamedObjective objective);
  }

  /** Of an algorithm of rounds, under the noise that somebody chose. */
  private interface OfRounds extends Reader {
    @Override
    RoundSettings read(Settings settings, NamedObjective objective);
  }

  /** Of an algorithm that brings its noise. */
  private interface OfBlocks extends Reader {
    @Override
    BlockSettings read(Settings settings, NamedObjective objective);
  }

  Optimizers(String configName, String purpose, List<ConfigKey<?>> keys, OfRounds reader) {
    this(configName, purpose, keys, (Reader) reader);
  }

  Optimizers(String configName, String purpose, List<ConfigKey<?>> keys, OfBlocks reader) {
    this(configName, purpose, keys, (Reader) reader);
  }

  Optimizers(String configName, String purpose, List<ConfigKey<?>> keys, Reader reader) {
    this.configName = configName;
    this.purpose = purpose;
    this.keys = keys;
    this.reader = reader;
  }

  /**
   * Rounds after which the algorithm restarts where nobody chooses another number; 0 where it does
   * not.
   */
  public long generation() {
    return this == ACCELERATED_DP_SRGD ? AcceleratedDpSrgd.GENERATION : 0;
  }

  /** Whether its rounds may measure the range of labels, and learn in units of it. */
  public boolean measuresLabels() {
    return reader instanceof OfRounds;
  }

  /** The settings of all algorithms, each only with those that have it. */
  public static Stream<ConfigKey<?>> keys() {
    return Arrays.stream(values())
        .flatMap(each -> each.keys.stream())
        .map(ConfigKey::name)
        .distinct()
        .map(Optimizers::key);
  }

  /** One of them, used where one of its algorithms uses it. */
  private static ConfigKey<?> key(String name) {
    ConfigKey<?> declared = null;
    List<Optimizers> having = new ArrayList<>();
    List<Condition<?>[]> uses = new ArrayList<>();
    for (Optimizers each : values()) {
      for (ConfigKey<?> key : each.keys) {
        if (key.name().equals(name)) {
          declared = key;
          having.add(each);
          uses.addAll(each.uses(key));
        }
      }
    }
    boolean always = uses.stream().allMatch(each -> each.length == 1);
    ConfigKey<?> whole = declared.alwaysUsed();
    if (!always) {
      for (Condition<?>[] together : uses) {
        whole = whole.usedWith(together);
      }
    }
    return whole.onlyWith(ALGORITHM, having.toArray(Optimizers[]::new));
  }

  private List<Condition<?>[]> uses(ConfigKey<?> key) {
    Condition<?> chosen = Condition.isOneOf(ALGORITHM, this);
    return key.uses().isEmpty()
        ? List.<Condition<?>[]>of(new Condition<?>[] {chosen})
        : key.uses().stream()
            .map(each -> Stream.concat(Stream.of(chosen), each.stream())
                .<Condition<?>>toArray(Condition<?>[]::new))
            .toList();
  }

  /** A setting of noise of prefixes, which means nothing with algorithms that bring their own. */
  public static <T> ConfigKey<T> ofPrefixes(ConfigKey<T> key) {
    return key.usedWith(Condition.isOneOf(
        ALGORITHM,
        Arrays.stream(values())
            .filter(each -> each.reader instanceof OfRounds)
            .toArray(Optimizers[]::new)));
  }

  /** A setting of rounds, which means nothing where these are blocks. */
  public static <T> ConfigKey<T> ofRounds(ConfigKey<T> key) {
    return ofPrefixes(key)
        .usedWith(Condition.isOneOf(ALGORITHM, TREE_MOMENTUM_NSGD), MomentumSettings.ENDLESS);
  }

  /** The settings of the chosen algorithm. */
  public static OptimizerSettings read(Settings settings, NamedObjective objective) {
    return settings.get(ALGORITHM).reader.read(settings, objective);
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
