package dev.sotto.evaluation.plan;

import static dev.sotto.learner.description.FigureFormat.bytes;
import static dev.sotto.learner.description.FigureFormat.counted;
import static dev.sotto.learner.description.FigureFormat.number;

import dev.sotto.evaluation.volume.MemoryForecast;
import dev.sotto.evaluation.volume.TopicVolume;
import dev.sotto.evaluation.volume.VolumeDescription;
import dev.sotto.evaluation.volume.VolumeForecast;
import dev.sotto.evaluation.volume.VolumeScenario;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What a plan comes to, in a few sentences: what is promised and for how long, how much noise that
 * takes, how often there is a version, what is written and held.
 */
public final class PlanAnswer {
  private static final long MANY_SLOTS = 1L << 20;

  private PlanAnswer() {}

  /**
   * The sentences.
   *
   * @param last the last round that the budget allows; {@link PlanForecast#LIMIT} for all
   */
  public static Section of(Plan plan, long last, VolumeScenario volume) {
    return Section.untitled()
        .sentence(lasting(plan, last, volume))
        .sentence(promise(plan))
        .sentence(noise(plan))
        .sentence(VolumeDescription.cadenceInShort(volume))
        .sentence(written(volume))
        .sentence(memory(volume));
  }

  /** Whom it hides, and from whom. */
  public static String promise(Plan plan) {
    if (plan.metrics() != null && plan.metrics().exact()) {
      return "NOTHING is promised, since metrics are exact (metrics.unsafe.exact).";
    }
    String learned = plan.adjacency() == Adjacency.ZERO_OUT
        ? "whether anything was learned from "
        : "what was in ";
    return "Promised: whoever sees all that is published" + plan.candidates().words()
        + ", and knows all other records, cannot tell " + learned + plan.unit().any()
        + ", beyond epsilon " + number(plan.budget().epsilon()) + " at delta "
        + number(plan.budget().delta()) + ".";
  }

  /** For how long it learns. */
  public static String lasting(Plan plan, long last) {
    return lasting(plan, last, "");
  }

  private static String lasting(Plan plan, long last, VolumeScenario volume) {
    return lasting(
        plan,
        last,
        last == PlanForecast.LIMIT
            ? ""
            : " (" + VolumeDescription.time(slots(plan, last) / volume.modelRate())
                + " at this rate)");
  }

  private static String lasting(Plan plan, long last, String time) {
    if (last < PlanForecast.LIMIT) {
      return "The budget lasts for " + counted(last, plan.round()) + ", "
          + counted(slots(plan, last), "slot") + time + "; then learning ends.";
    }
    return plan.participation().isBudgeted()
        ? "Each unit has that budget for itself; learning goes on for ever."
        : "The budget lasts for ever.";
  }

  /**
   * What becomes of noise that is best for a number of rounds, in the rounds after them; empty
   * where it is for any number, or where learning ends.
   *
   * @param last the last round that the budget allows; {@link PlanForecast#LIMIT} for all
   */
  public static String beyond(Plan plan, long last) {
    OptionalLong horizon = plan.mechanism().horizon();
    if (horizon.isEmpty()
        || last < PlanForecast.LIMIT
        || !plan.generations().equals(GenerationSchedule.NONE)) {
      return "";
    }
    PrefixMechanism mechanism = plan.mechanism().ofPrefixes().orElseThrow();
    long best = horizon.getAsLong();
    long many = Math.max(4 * best, MANY_SLOTS / plan.batch());
    double times = Math.sqrt(mechanism.prefixVariance(many) / mechanism.prefixVariance(best));
    return String.format(
        Locale.ROOT,
        "noise is made for %,d slots (privacy.blt.set %s): after %,d its error is %.1f times as"
            + " large, under the same guarantee",
        slots(plan, best),
        mechanism.set(),
        slots(plan, many),
        times);
  }

  private static long slots(Plan plan, long rounds) {
    return rounds > Long.MAX_VALUE / plan.batch() ? Long.MAX_VALUE : rounds * plan.batch();
  }

  private static String noise(Plan plan) {
    return "Noise: " + plan.mechanism().name() + ", sigma " + number(plan.sigma())
        + " in each coordinate of " + plan.mechanism().noised() + " ("
        + number(plan.sigma() / plan.sensitivity()) + " times what one unit adds).";
  }

  private static String written(VolumeScenario volume) {
    List<TopicVolume> all = VolumeForecast.of(volume);
    String events = volume.learner().sourceTopic();
    double ours = all.stream()
        .filter(each -> !each.topic().equals(events))
        .mapToDouble(TopicVolume::bytesPerDay)
        .sum();
    return String.format(
        Locale.ROOT,
        "Written: %s a day beside the events; ledger %s in a year; at %,.0f events/s (--rate).",
        bytes(ours),
        bytes(VolumeForecast.ledgerOfYear(volume)),
        volume.load().rate());
  }

  private static String memory(VolumeScenario volume) {
    MemoryForecast memory = MemoryForecast.of(volume);
    return "Memory: a heap of " + bytes(memory.heapBytes()) + ", and " + bytes(memory.besideBytes())
        + " beside it, of an instance that runs all tasks.";
  }
}
