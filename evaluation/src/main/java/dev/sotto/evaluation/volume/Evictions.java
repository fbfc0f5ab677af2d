package dev.sotto.evaluation.volume;

import static dev.sotto.evaluation.volume.VolumeScenario.DAY;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.ModelMemory;
import java.util.Locale;

/**
 * Models that give way to others because the heap has no room for all of them, in a day. The models
 * of the events come mixed: an event finds its own on the heap as often as any is there. Events of
 * a model in groups make them fewer, one event of each model in turn makes each event one.
 *
 * @param models that learn
 * @param room how many of them are on the heap at once
 * @param evicted models that are written, with their open round
 * @param states of them, with a state that has changed since it was written
 * @param noises of these, with what the mechanism keeps
 * @param smaller whether other noise would be smaller to keep, as a sentence says; else empty
 */
public record Evictions(
    long models, long room, double evicted, double states, double noises, String smaller) {
  private static final int SMALLER_BYTES = 32; // a weight, of horizon-2^14x3

  /** Of a learner under load, which one instance runs. */
  public static Evictions of(VolumeScenario scenario) {
    Plan plan = scenario.plan();
    long models = scenario.load().models();
    long room = scenario.modelsAtWork();
    int together = scenario.learner().run().candidates().number();
    boolean none = room / scenario.homes() < together; // candidates drive each other out
    double share = room >= models ? 0 : none ? 1 : 1 - (double) room / models;
    double slots = scenario.load().rate() * DAY * together;
    double rounds = slots / plan.batch() * plan.queriesPerRound();
    double states = Math.min(slots * share, rounds);
    long year = (long) Math.max(1, 365 * DAY * scenario.modelRate() / plan.batch());
    long noise = plan.mechanism().redrawnBytes(plan.dimension(), year);
    // Large noise is written again once it would be too old to be drawn.
    double noises = noise >= (long) Double.BYTES * plan.dimension()
        ? Math.min(states, rounds / (ModelMemory.REDRAWN_ROUNDS + 1))
        : states;
    return new Evictions(models, room, slots * share, states, noises, smallerNoise(plan, noise));
  }

  /** What there is in place of the default noise; figures of benchmarks/README.md. */
  private static String smallerNoise(Plan plan, long noise) {
    if (plan.mechanism().set().isEmpty() || noise <= (long) SMALLER_BYTES * plan.dimension()) {
      return "";
    }
    String sets = "privacy.blt.set horizon-2^10x2, for at most 1,024 rounds of each model, or"
        + " horizon-2^14x3, for at most 16,384: 1.4 and 1.3 times as quick, with less error from"
        + " some 16 and 100 rounds on";
    return plan.unit() == PrivacyUnit.RECORD
        ? sets + "; or " + Mechanisms.MECHANISM.name() + " binary-tree with"
            + " privacy.horizon.rounds (instead of privacy.noise.multiplier): 2.3 times as quick,"
            + " with some 2.5 times the error"
        : sets;
  }

  /** Whether there are any. */
  public boolean any() {
    return evicted > 0;
  }

  /** What happens, in a sentence. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%,d models (--models), room on the heap for %,d at once: where their events come mixed,"
            + " %.3g models a second are written and others read in their place. One takes some 5"
            + " to 17 ms at 2^16 weights under blt, so that one thread does some 60 to 200 a"
            + " second",
        models,
        room,
        evicted / DAY);
  }

  /** What makes them fewer, or quicker. */
  public String advice() {
    return "a larger heap (a quarter of it is for models, or " + ApplicationKeys.MODELS_HEAP
        + " where ids come with the events), more instances, fewer models ("
        + ApplicationKeys.MODELS_MOST + ", " + ApplicationKeys.MODELS_ALLOWED + ", "
        + ApplicationKeys.MODELS_RETIRED + ") or weights (features.*), or events that come grouped"
        + " by model"
        + (smaller.isEmpty()
            ? ""
            : ", or noise that is smaller to keep, chosen before the first start (" + smaller + ")")
        + "; benchmarks/README.md, Many models, has what it costs";
  }
}
