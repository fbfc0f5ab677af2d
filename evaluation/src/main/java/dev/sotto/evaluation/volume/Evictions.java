package dev.sotto.evaluation.volume;

import static dev.sotto.evaluation.volume.VolumeScenario.DAY;

import dev.sotto.learner.training.Plan;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.ModelMemory;
import java.util.Locale;

/**
 * Models that give way to others because the heap has no room for all of them, in a day. The models
 * of the events come mixed: an event finds its own on the heap as often as any is there. Events of a
 * model in groups make them fewer, one event of each model in turn makes each event one.
 *
 * @param models that learn
 * @param room how many of them are on the heap at once
 * @param evicted models that are written, with their open round
 * @param states of them, with a state that has changed since it was written
 * @param noises of these, with what the mechanism keeps
 */
public record Evictions(long models, long room, double evicted, double states, double noises) {
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
    return new Evictions(
        models, room, slots * share, states, noises(scenario, plan, states, rounds));
  }

  /** Large noise is written again once it would be too old to be drawn. */
  private static double noises(VolumeScenario scenario, Plan plan, double states, double rounds) {
    long year = (long) Math.max(1, 365 * DAY * scenario.modelRate() / plan.batch());
    boolean drawn = !plan.hasOwnMechanism()
        && StateBytes.of(plan, year).noise() >= (long) Double.BYTES * plan.dimension();
    return drawn ? Math.min(states, rounds / (ModelMemory.REDRAWN_ROUNDS + 1)) : states;
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
            + " to 13 ms at 2^16 weights under blt, so that one thread does some 80 to 200 a second",
        models,
        room,
        evicted / DAY);
  }

  /** What makes them fewer. */
  public static String advice() {
    return "a larger heap (a quarter of it is for models, or " + ApplicationKeys.MODELS_HEAP
        + " where ids come with the events), more instances, fewer models ("
        + ApplicationKeys.MODELS_MOST + ", " + ApplicationKeys.MODELS_ALLOWED + ", "
        + ApplicationKeys.MODELS_RETIRED + ") or weights (features.*), or events that come grouped"
        + " by model; benchmarks/README.md, Many models, has what it costs";
  }
}
