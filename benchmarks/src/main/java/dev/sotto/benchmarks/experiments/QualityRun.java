package dev.sotto.benchmarks.experiments;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.evaluation.plan.PlanForecast;
import dev.sotto.evaluation.plan.PlanScenario;
import dev.sotto.evaluation.plan.QuietestSet;
import dev.sotto.evaluation.plan.RangesOfFile;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One set, decoded once, and learned from under plans that differ in all but the features. */
final class QualityRun implements ExampleStream {
  private static final Map<String, String> NO_KEY = Map.of("SOTTO_NOISE_KEY", "0".repeat(64));

  private static final int NEW_UNITS = 0x9E3779B1; // hardly any units of a set are that far apart

  private final List<String> settings;
  private final int dimension;
  private final int[][] indices;
  private final double[][] values;
  private final double[][] numbers; // without bounds, as they are; empty where all have bounds
  private final UnboundedNumbers measured;
  private final double[] labels;
  private int[] units;
  private final int times;

  QualityRun(QualitySet set, Path folder, List<String> features) throws IOException {
    this(
        set.label,
        Stream.concat(set.settings(folder).stream(), features.stream()).toList(),
        set.events(folder));
  }

  /**
   * Decodes a set.
   *
   * @param label its name
   * @param chosen features, label and loss, as {@code key=value}
   * @param events one JSON object each
   */
  QualityRun(String label, List<String> chosen, List<byte[]> events) {
    settings = new ArrayList<>(List.of(
        "events.topic=events",
        "layout=direct",
        "model.id=quality",
        "privacy.delta=1e-6",
        "noise.key.env=SOTTO_NOISE_KEY"));
    settings.addAll(chosen);
    times = 1;
    LearnerSettings learner = learner(1, List.of());
    EventDecoder decoder = learner.newDecoder();
    measured = learner.plan().ranges().numbers();
    dimension = decoder.dimension();
    indices = new int[events.size()][];
    values = new double[events.size()][];
    numbers = new double[events.size()][measured.count()];
    labels = new double[events.size()];
    Slot slot = new Slot(dimension);
    for (int i = 0; i < labels.length; i++) {
      slot.clear();
      if (decoder.decode(null, events.get(i), slot) != RecordStatus.USED) {
        throw new IllegalStateException("row " + i + " of " + label + " is " + slot.status());
      }
      keep(i, slot.example());
    }
  }

  private QualityRun(QualityRun once, int times) {
    this.settings = once.settings;
    this.dimension = once.dimension;
    this.indices = once.indices;
    this.values = once.values;
    this.numbers = once.numbers;
    this.measured = once.measured;
    this.labels = once.labels;
    this.units = once.units;
    this.times = times;
  }

  /** In ascending order; the decoder may name a coordinate twice. */
  private void keep(int row, Example example) {
    TreeMap<Integer, Double> entries = new TreeMap<>();
    for (int i = 0; i < example.size(); i++) {
      if (example.value(i) != 0) {
        entries.merge(example.index(i), example.value(i), Double::sum);
      }
    }
    indices[row] = entries.keySet().stream().mapToInt(each -> each).toArray();
    values[row] = entries.values().stream().mapToDouble(each -> each).toArray();
    labels[row] = example.label();
    Arrays.setAll(numbers[row], example::number);
  }

  /** The same with a unit for every record. */
  QualityRun withUnits(int[] ofRecords) {
    units = ofRecords;
    return this;
  }

  /** The same several times over, each time with new units. */
  QualityRun repeated(int repetitions) {
    return new QualityRun(this, repetitions);
  }

  /**
   * A configuration.
   *
   * @param epsilon infinite without noise
   * @param more settings beside features, label and epsilon
   */
  LearnerSettings learner(double epsilon, List<String> more) {
    List<String> flags = new ArrayList<>(settings);
    flags.add("privacy.epsilon=" + (epsilon == Double.POSITIVE_INFINITY ? 1 : epsilon));
    flags.addAll(more);
    return SottoConfig.load(ConfigSource.of("quality", "app.id: quality")
            .withEnvironment(NO_KEY)
            .withFlags(flags)
            .withEmbedded(true)
            .withGuarantee(
                epsilon == Double.POSITIVE_INFINITY
                    ? GuaranteeLevel.NONE
                    : GuaranteeLevel.CONFIGURED))
        .learner();
  }

  /**
   * The plan of a configuration.
   *
   * @param epsilon infinite without noise
   * @param more settings beside features, label and epsilon
   */
  Plan plan(double epsilon, String... more) {
    return learner(epsilon, List.of(more)).plan();
  }

  /** The same as {@code learn} makes it for a number of records, in equal rounds. */
  Plan ofFile(long records, double epsilon, String... more) {
    return ofFile(records, RangesOfFile.most(records, plan(epsilon, more)), epsilon, more);
  }

  /**
   * The same.
   *
   * @param window slots that may measure ranges; 0 for the usual ones
   */
  Plan ofFile(long records, long window, double epsilon, String... more) {
    Plan stream = plan(epsilon, more);
    PlanScenario endless = new PlanScenario(stream, PlanForecast.LIMIT, 0);
    QuietestSet noise = QuietestSet.of(records, endless);
    List<String> chosen = new ArrayList<>(List.of(more));
    chosen.add(noise.key().name() + "=" + noise.set());
    chosen.add("batch.size=" + stream.batch());
    if (window > 0) {
      chosen.add(FeatureKeys.RANGES_SLOTS.name() + "=" + window);
    }
    return plan(epsilon, chosen.toArray(String[]::new));
  }

  /** The mean loss of every record under the weights of the last round before it, over seeds. */
  double progressive(Plan released, int seeds) {
    return IntStream.rangeClosed(1, seeds)
        .parallel()
        .mapToDouble(seed -> losses(released, seed)[0])
        .average()
        .orElseThrow();
  }

  /** The best of some constant rates in hindsight, and its loss, under the first seed. */
  double[] bestRate(Plan plan, double[] rates) {
    return Arrays.stream(rates)
        .boxed()
        .parallel()
        .map(rate -> new double[] {rate, progressive(constant(plan, rate), 1)})
        .min((a, b) -> Double.compare(a[1], b[1]))
        .orElseThrow();
  }

  /** The same plan of Private FTRL at one rate for each record. */
  static Plan constant(Plan plan, double rate) {
    return withSteps(plan, new StepSize.Fixed(rate * plan.batch(), 1));
  }

  /** The same plan of Private FTRL with other steps. */
  static Plan withSteps(Plan plan, StepSize steps) {
    PrivateFtrl ftrl = (PrivateFtrl) plan.optimizer();
    return plan.toBuilder().optimizer(new PrivateFtrl(ftrl.potential(), steps)).build();
  }

  /**
   * Mean losses of records under the weights of the last round before each: of all, and of those in
   * the later half alone.
   */
  double[] losses(Plan released, long seed) {
    return losses(released, this, seed);
  }

  /** The same of other examples. */
  static double[] losses(Plan released, ExampleStream examples, long seed) {
    Plan plan = released.toBuilder().versions(VersionSchedule.EVERY_ROUND).build();
    Objective.Pass pass = plan.objective().pass();
    int half = examples.count() / 2;
    double[] sum = {0, 0};
    LearningPass.weights(plan, examples, seed, (place, example, weights) -> {
      pass.forward(example, weights);
      double loss = pass.value(example.label());
      sum[0] += loss;
      sum[1] += place < half ? 0 : loss;
    });
    int count = examples.count();
    return new double[] {sum[0] / count, sum[1] / (count - half)};
  }

  /**
   * Squared errors of the predictions of every record under the weights of the last round before
   * it, in units of the label's field; not a number where its range is not known.
   */
  double[] squaredErrors(Plan released, long seed) {
    Plan plan = released.toBuilder().versions(VersionSchedule.EVERY_ROUND).build();
    Objective.Pass pass = plan.objective().pass();
    double[] errors = new double[labels.length];
    long window = plan.ranges().rounds() * plan.batch();
    LearningPass.Learned learned =
        LearningPass.learned(plan, this, seed, (place, example, weights) -> {
          pass.forward(example, weights);
          errors[place] = place < window ? Double.NaN : pass.predicted() - example.label();
        });
    double unit = 1;
    if (measured.ofLabel()) {
      NumberRange range = learned.ranges().get(measured.count());
      unit = measured.hasLabels(learned.ranges()) ? range.hi() - range.lo() : Double.NaN;
    }
    for (int i = 0; i < errors.length; i++) {
      errors[i] *= unit * errors[i] * unit;
    }
    return errors;
  }

  @Override
  public int count() {
    return labels.length * times;
  }

  @Override
  public int unit(int place) {
    int repetition = place / labels.length;
    return units == null ? place : units[place % labels.length] + repetition * NEW_UNITS;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public void read(int at, Example into) {
    int place = at % labels.length;
    int size = indices[place].length;
    into.reserve(size);
    System.arraycopy(indices[place], 0, into.indices(), 0, size);
    System.arraycopy(values[place], 0, into.values(), 0, size);
    into.ascending(size);
    into.label(labels[place]);
    if (!measured.isEmpty()) {
      into.awaitRanges(numbers[place].length);
      for (int i = 0; i < numbers[place].length; i++) {
        into.number(i, numbers[place][i]);
      }
    }
  }
}
