package dev.sotto.evaluation.plan;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;

/**
 * A mechanism that a plan could have.
 *
 * @param name unique: the mechanism's own, and where it is not the first of that name, the set of
 *     its parameters after a blank
 * @param set the name of its parameters, empty where they have none
 * @param configured whether it is the plan's own
 */
public record MechanismOption(
    PrefixMechanism mechanism, String name, String set, boolean configured) {
  /** The plan's own. */
  static MechanismOption own(Plan plan) {
    PrefixMechanism own = plan.mechanism().ofPrefixes().orElseThrow();
    return new MechanismOption(own, own.name(), own.set(), true);
  }

  /**
   * Every mechanism that can be named. Of one with parameters the plan's own or the default ones
   * come first; then those that it offers for the horizon.
   */
  static List<MechanismOption> of(Plan plan, long horizon) {
    List<MechanismOption> all = new ArrayList<>();
    for (Mechanisms each : Mechanisms.values()) {
      PrefixMechanism made = each.make();
      MechanismOption first = made.name().equals(plan.mechanism().name())
          ? own(plan)
          : new MechanismOption(made, made.name(), made.set(), false);
      all.add(first);
      for (String set : each.sets(horizon)) {
        if (!set.equals(first.set())) {
          all.add(new MechanismOption(each.make(set), made.name() + " " + set, set, false));
        }
      }
    }
    return all;
  }
}
