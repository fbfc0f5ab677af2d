package dev.sotto.topology.read;

import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Computes the figures of a ledger entry again from clip, sigma, mechanism and round, to the last bit. */
final class FigureRules {
  private FigureRules() {}

  /** Everything in an entry that does not follow from the rest of it; empty where all does. */
  static List<String> broken(LedgerEntry entry) {
    List<String> faults = new ArrayList<>();
    Guarantee stated = entry.guarantee();
    if (stated.epsilon() > entry.budgetEpsilon()) {
      faults.add("epsilon " + stated.epsilon() + " is over the budget of " + entry.budgetEpsilon());
    }
    double left = Math.max(0, entry.budgetEpsilon() - stated.epsilon());
    if (!(entry.epsilonLeft() >= 0 && entry.epsilonLeft() <= left)) {
      faults.add("epsilonLeft must be at most " + left + ", but is " + entry.epsilonLeft());
    }
    Optional<Mechanism> mechanism = Mechanisms.named(stated.mechanism()).map(Mechanisms::make);
    if (mechanism.isEmpty() || !(entry.round() >= 1) || !(entry.sigma() > 0)) {
      faults.add("its cost cannot be computed from mechanism " + stated.mechanism() + ", round "
          + entry.round() + " and sigma " + entry.sigma());
      return faults;
    }
    try {
      double sensitivity = stated.adjacency().sensitivity(entry.clip());
      double matrix = mechanism.get().sensitivity(entry.round());
      Guarantee due = Guarantee.of(
          stated.unit(),
          stated.adjacency(),
          stated.mechanism(),
          sensitivity * matrix / entry.sigma(),
          sensitivity * mechanism.get().sensitivityLimit() / entry.sigma(),
          stated.delta());
      same(faults, "sensitivity", entry.sensitivity(), sensitivity);
      same(faults, "matrixSensitivity", entry.matrixSensitivity(), matrix);
      same(faults, "mu", stated.mu(), due.mu());
      same(faults, "epsilon", stated.epsilon(), due.epsilon());
      same(faults, "muLimit", stated.muLimit(), due.muLimit());
      same(faults, "epsilonLimit", stated.epsilonLimit(), due.epsilonLimit());
    } catch (IllegalArgumentException impossible) {
      faults.add("its cost cannot be computed: " + impossible.getMessage());
    }
    return faults;
  }

  private static void same(List<String> faults, String name, double stated, double due) {
    if (Double.compare(stated, due) != 0) {
      faults.add(name + " must be " + due + ", but is " + stated);
    }
  }
}
