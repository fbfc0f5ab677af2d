package dev.sotto.topology.read;

import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Account;
import dev.sotto.learner.unit.Participation;
import java.util.ArrayList;
import java.util.List;

/** Computes the figures of a ledger entry again from clip, sigma, mechanism and round, to the last bit. */
final class FigureRules {
  private Terms terms;
  private Account account;

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
    if (!(entry.round() >= 1) || !(entry.sigma() > 0)) {
      faults.add("its cost cannot be computed from round " + entry.round() + " and sigma "
          + entry.sigma());
      return faults;
    }
    try {
      Account account = accountOf(entry);
      Guarantee due = account.guarantee(entry.round());
      int generation = Generations.parse(entry.terms().generations()).of(entry.round());
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

  private Account accountOf(LedgerEntry entry) {
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

  private static Account newAccount(LedgerEntry entry) {
    Guarantee stated = entry.guarantee();
    return new Account(
        Mechanisms.of(stated.mechanism(), entry.terms().mechanismParameters()),
        entry.clip(),
        entry.sigma(),
        stated.adjacency(),
        stated.unit(),
        Participation.parse(entry.terms().participation()),
        Generations.parse(entry.terms().generations()),
        entry.terms().metricsRatio(),
        stated.delta(),
        entry.terms().spentMu());
  }

  private static void same(List<String> faults, String name, double stated, double due) {
    if (Double.compare(stated, due) != 0) {
      faults.add(name + " must be " + due + ", but is " + stated);
    }
  }
}
