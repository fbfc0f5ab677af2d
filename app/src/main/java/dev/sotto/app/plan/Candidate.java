package dev.sotto.app.plan;

import dev.sotto.learner.release.BltSets;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A mechanism that a plan could have.
 *
 * @param name told apart from every other one: the mechanism's own, and where it is not the first of that name, the
 *     set of its parameters after a blank
 * @param set the name of its parameters, empty where they have none
 * @param configured whether it is the plan's own
 */
public record Candidate(Mechanism mechanism, String name, String set, boolean configured) {
  /** The plan's own. */
  static Candidate own(Plan plan) {
    Mechanism own = plan.mechanism();
    return new Candidate(own, own.name(), set(own), true);
  }

  /**
   * Every mechanism that can be named. Of {@code blt} the plan's own parameters or the default ones come first; then
   * the default ones, those made for the horizon, and those with the shortest memory.
   */
  static List<Candidate> of(Plan plan, long horizon) {
    List<Candidate> all = new ArrayList<>();
    for (Mechanisms each : Mechanisms.values()) {
      Mechanism made = each.make();
      boolean own = made.name().equals(plan.mechanism().name());
      all.add(own ? own(plan) : new Candidate(made, made.name(), set(made), false));
      if (each == Mechanisms.BLT) {
        all.addAll(otherSets(all.get(all.size() - 1), horizon));
      }
    }
    return all;
  }

  private static List<Candidate> otherSets(Candidate first, long horizon) {
    Map<String, BltSets> shown = new LinkedHashMap<>();
    shown.put(BltSets.DEFAULT.configName(), BltSets.DEFAULT);
    Comparator<BltSets> shorter = Comparator.comparingLong(BltSets::horizon);
    Comparator<BltSets> finer = Comparator.comparingInt(set -> -set.parameters().buffers());
    Arrays.stream(BltSets.values())
        .filter(set -> !set.anytime() && set.horizon() >= horizon)
        .min(shorter.thenComparing(finer))
        .ifPresent(set -> shown.put(set.configName(), set));
    Arrays.stream(BltSets.values())
        .filter(set -> !set.anytime())
        .min(shorter.thenComparing(finer.reversed()))
        .ifPresent(set -> shown.put(set.configName(), set));
    shown.remove(first.set());
    return shown.values().stream()
        .map(set -> new Candidate(
            Mechanisms.blt(set.parameters()),
            first.mechanism().name() + " " + set.configName(),
            set.configName(),
            false))
        .toList();
  }

  private static String set(Mechanism mechanism) {
    return Arrays.stream(BltSets.values())
        .filter(set -> mechanism.name().equals(Mechanisms.BLT.configName())
            && mechanism.parameters().equals(set.parameters().toString()))
        .map(BltSets::configName)
        .findFirst()
        .orElse("");
  }
}
