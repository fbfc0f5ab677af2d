package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * For how many rounds of a unit the noise should be made, by how many records a unit sends: made
 * streams of 10 to 1,000 records a unit, and two recorded ones, with numbers as curves.
 */
final class UnitRecords implements Experiment {
  private static final List<Double> EPSILONS = List.of(1.0, 4.0);
  private static final long[] NEAR = {1, 2, 3, 4, 6, 8, 16};
  private static final long[] FAR = {3, 8, 16};
  private static final int[] RECORDS_PER_UNIT = {10, 30, 100, 300, 1_000};
  private static final List<UnitSet> RECORDED = List.of(UnitSet.YEAR_B, UnitSet.INCIDENTS);
  private static final int MADE = 300_000;
  private static final int NUMBERS = 4;
  private static final int LATER = 1; // the figure of the later half; 0 that of all records

  /** A number of rounds, and slots between them. */
  private record Choice(long rounds, long slots) {}

  /** Records with units; what the base rate loses on them, and how many records a unit has. */
  private record Stream(
      String label, String numbers, QualityRun run, double base, double perUnit) {}

  private record Case(Stream stream, double epsilon, Choice choice, Plan plan) {}

  @Override
  public String name() {
    return "unit-records";
  }

  @Override
  public String question() {
    return "In how many rounds should a unit take part that sends 10, 100 or 1,000 records?";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Measured<Case>> all = new ArrayList<>();
    int records = trials.choose(MADE, MADE / 10);
    List<byte[]> events = new ArrayList<>();
    double base = made(records, events);
    for (NumberEncoding encoding : List.of(NumberEncoding.DEFAULTS, NumberEncoding.NO_BOUNDS)) {
      QualityRun made = new QualityRun("made", encoding.of(bounded()), events);
      for (int each : RECORDS_PER_UNIT) {
        int[] units =
            new SplittableRandom(each).ints(records, 0, records / each).toArray();
        all.addAll(measured(
            trials, new Stream("made", encoding.label, made.withUnits(units), base, each)));
      }
      for (UnitSet set : trials.choose(RECORDED, List.<UnitSet>of())) {
        QualityRun run = encoding.run(set.set, trials.data());
        int[] units = set.units(trials.data(), run.count());
        double perUnit = (double) units.length / Arrays.stream(units).distinct().count();
        double baseRate = set.set.baseRate(trials.data());
        all.addAll(measured(
            trials,
            new Stream(set.label(), encoding.label, run.withUnits(units), baseRate, perUnit)));
      }
    }
    return Outcome.of(columns().of(all));
  }

  private static List<Measured<Case>> measured(Trials trials, Stream stream) {
    List<Measured<Case>> all = new ArrayList<>();
    for (double epsilon : trials.choose(EPSILONS, List.of(1.0))) {
      List<Case> cases = trials.choose(choices(), List.of(new Choice(3, 128))).stream()
          .map(each -> new Case(stream, epsilon, each, plan(stream.run(), epsilon, each)))
          .toList();
      all.addAll(trials.run(
          stream.label() + ", " + stream.numbers() + ", " + stream.perUnit() + " a unit, epsilon "
              + epsilon,
          cases,
          trials.choose(2, 1),
          (each, seed) -> stream.run().losses(each.plan(), 1 + seed)));
    }
    return all;
  }

  private static Columns<Measured<Case>> columns() {
    return new Columns<Measured<Case>>()
        .add("stream", each -> each.of().stream().label())
        .add("numbers", each -> each.of().stream().numbers())
        .add("records a unit", each -> each.of().stream().perUnit())
        .add("epsilon", each -> each.of().epsilon())
        .add("rounds", each -> each.of().choice().rounds())
        .add("slots apart", each -> each.of().choice().slots())
        .add("round", each -> each.of().plan().batch())
        .add("sigma", each -> each.of().plan().sigma())
        .add("weights", each -> each.of().plan().dimension())
        .add("loss", each -> each.mean(0))
        .add("later half", each -> each.mean(LATER))
        .add("base rate", each -> each.of().stream().base());
  }

  private static Plan plan(QualityRun run, double epsilon, Choice choice) {
    return run.plan(
        epsilon,
        "privacy.unit=key",
        "unit.from=key",
        PlanKeys.PARTICIPATIONS + "=" + choice.rounds(),
        PlanKeys.SEPARATION_SLOTS + "=" + choice.slots());
  }

  /** A unit that takes part once has no use for a separation. */
  private static List<Choice> choices() {
    List<Choice> choices = new ArrayList<>();
    for (long rounds : NEAR) {
      choices.add(new Choice(rounds, rounds == 1 ? 0 : 128));
    }
    for (long rounds : FAR) {
      choices.add(new Choice(rounds, 1024));
    }
    return choices;
  }

  /** The settings of the made events, with public bounds. */
  private static List<String> bounded() {
    List<String> settings = new ArrayList<>(List.of("loss=logistic", "label.field=y"));
    for (int i = 0; i < NUMBERS; i++) {
      settings.add("features.numeric.x" + i + ".field=x" + i);
      settings.add("features.numeric.x" + i + ".min=-3");
      settings.add("features.numeric.x" + i + ".max=3");
    }
    return settings;
  }

  /** Four normal numbers, of which two move the label along curves; gives the base rate's loss. */
  private static double made(int records, List<byte[]> into) {
    SplittableRandom random = new SplittableRandom(17);
    int ones = 0;
    double[] x = new double[NUMBERS];
    for (int i = 0; i < records; i++) {
      for (int j = 0; j < NUMBERS; j++) {
        x[j] = random.nextGaussian();
      }
      double score = 2 * x[0] + 1.5 * (x[1] * x[1] - 1) - Math.abs(x[2]);
      int label = random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
      ones += label;
      into.add(String.format(
              Locale.ROOT,
              "{\"x0\":%.6f,\"x1\":%.6f,\"x2\":%.6f,\"x3\":%.6f,\"y\":%d}",
              x[0],
              x[1],
              x[2],
              x[3],
              label)
          .getBytes(StandardCharsets.UTF_8));
    }
    double share = (double) ones / records;
    return -share * Math.log(share) - (1 - share) * Math.log(1 - share);
  }
}
