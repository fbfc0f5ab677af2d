package dev.sotto.topology.read;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.range.RangeWindow;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the figures of a ledger entry again from clip, sigma, mechanism and round, to the last
 * bit.
 */
final class CostRecomputation {
  private Terms terms;
  private PrivacyAccountant account;

  /** What an account follows from; that of the entry before mostly serves the next one too. */
  private record Terms(LedgerEntry.Terms terms, Guarantee named, double clip, double sigma) {}

  /** Everything in an entry that does not follow from the rest of it; empty where all does. */
  List<String> broken(LedgerEntry entry) {
    List<String> faults = new ArrayList<>();
    Guarantee stated = entry.guarantee();
    if (stated.epsilon() > entry.budgetEpsilon()) {
      faults.add("epsilon " + stated.epsilon() + " is over the budget of " + entry.budgetEpsilon());
    }
    double left = stated.epsilon() < entry.budgetEpsilon() // both infinite: a void guarantee
        ? entry.budgetEpsilon() - stated.epsilon()
        : 0;
    if (!(entry.epsilonLeft() >= 0 && entry.epsilonLeft() <= left)) {
      faults.add("epsilonLeft must be at most " + left + ", but is " + entry.epsilonLeft());
    }
    if (!(entry.firstRound() >= 1 && entry.firstRound() <= entry.round())) {
      faults.add("firstRound must be 1 to " + entry.round() + ", but is " + entry.firstRound());
      return faults;
    }
    long batch = entry.terms().batch();
    if (batch != 0 && entry.slots() != batch * entry.round()) {
      faults.add(
          "slots must be " + entry.round() + " rounds of " + batch + ", but are " + entry.slots());
    }
    if (batch != 0 && isOfOtherBlocks(entry, batch)) {
      faults.add("a block must have the slots that its queries read ("
          + entry.terms().mechanismParameters() + "), but has " + batch);
    }
    if (!(entry.sigma() > 0)) {
      faults.add("its cost cannot be computed from round " + entry.round() + " and sigma "
          + entry.sigma());
      return faults;
    }
    try {
      PrivacyAccountant account = accountOf(entry);
      Guarantee due = account.guarantee(entry.round());
      GenerationSchedule generations = GenerationSchedule.parse(entry.terms().generations());
      int generation = generations.of(entry.round());
      if (generations.of(entry.firstRound()) != generation) {
        faults.add(
            "rounds " + entry.firstRound() + " to " + entry.round() + " must be of one generation");
      }
      if (entry.generation() != generation) {
        faults.add("generation must be " + generation + ", but is " + entry.generation());
      }
      same(
          faults, "sensitivity", entry.sensitivity(), stated.adjacency().sensitivity(entry.clip()));
      double matrix = account.matrixSensitivity(entry.round());
      same(faults, "matrixSensitivity", entry.matrixSensitivity(), matrix);
      same(faults, "mu", stated.mu(), due.mu());
      same(faults, "epsilon", stated.epsilon(), due.epsilon());
      same(faults, "muLimit", stated.muLimit(), due.muLimit());
      same(faults, "epsilonLimit", stated.epsilonLimit(), due.epsilonLimit());
      long measured = RangeWindow.parse(entry.terms().rangeWindow())
          .map(RangeWindow::allRounds)
          .orElse(0L);
      if (entry.round() < measured) {
        faults.add("nothing may be published before the " + measured
            + " rounds that measure ranges, but this is version " + entry.round());
      }
      String accountant = account.accountant().configName();
      if (!entry.terms().accountant().equals(accountant)) {
        faults.add(
            "accountant must be " + accountant + ", but is " + entry.terms().accountant());
      }
    } catch (IllegalArgumentException impossible) {
      faults.add("its cost cannot be computed: " + impossible.getMessage());
    }
    return faults;
  }

  private PrivacyAccountant accountOf(LedgerEntry entry) {
    Guarantee stated = entry.guarantee();
    Guarantee named = new Guarantee(
        stated.unit(), stated.adjacency(), stated.mechanism(), 0, 0, stated.delta(), 0, 0);
    Terms now = new Terms(entry.terms(), named, entry.clip(), entry.sigma());
    if (!now.equals(terms)) {
      account = newAccount(entry);
      terms = now;
    }
    return account;
  }

  private static PrivacyAccountant newAccount(LedgerEntry entry) {
    Guarantee stated = entry.guarantee();
    return new PrivacyAccountant(
        new AccountedNoise(
            Mechanisms.of(stated.mechanism(), entry.terms().mechanismParameters()),
            entry.clip(),
            entry.sigma(),
            stated.adjacency(),
            Candidates.of(entry.terms().candidates())),
        new AccountedContribution(
            stated.unit(),
            Participation.parse(entry.terms().participation()),
            GenerationSchedule.parse(entry.terms().generations())),
        entry.terms().metricsRatio(),
        stated.delta(),
        entry.terms().spentMu(),
        RangeWindow.parse(entry.terms().rangeWindow()));
  }

  private static void same(List<String> faults, String name, double stated, double due) {
    if (Double.compare(stated, due) != 0) {
      faults.add(name + " must be " + due + ", but is " + stated);
    }
  }

  private static boolean isOfOtherBlocks(LedgerEntry entry, long batch) {
    try {
      return Mechanisms.queries(entry.guarantee().mechanism(), entry.terms().mechanismParameters())
          .map(each -> each.slots() != batch)
          .orElse(false);
    } catch (IllegalArgumentException unreadable) {
      return false; // said where the cost is computed
    }
  }
}
