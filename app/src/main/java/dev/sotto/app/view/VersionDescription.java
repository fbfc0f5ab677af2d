package dev.sotto.app.view;

import dev.sotto.app.view.ScoreCurves.Curve;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A published version: whether to trust it, what it has cost, what it knows; then all of it. */
public final class VersionDescription {
  private static final int MOST_PRINTED = 20;
  private static final int MOST_PLOTTED = 5;
  private static final int MOST_NAMED = 3;

  /** What its ledger says of a version. */
  public enum Confirmed {
    /** That it is the one which its entry is about. */
    YES,
    /** That it is another one. */
    NO,
    /** Nothing: there is no such entry. */
    NO_ENTRY,
    /** Nothing: the version comes from a file. */
    NO_LEDGER;

    /** Of what a look at the ledger gave, null where it has no such round. */
    public static Confirmed of(Boolean matches) {
      return matches == null ? NO_ENTRY : matches ? YES : NO;
    }
  }

  private final PublishedModel model;
  private final ModelSnapshot manifest;
  private final List<Curve> curves;

  private VersionDescription(PublishedModel model) {
    this.model = model;
    this.manifest = model.manifest();
    this.curves = ScoreCurves.of(model);
  }

  /**
   * A version that is whole.
   *
   * @param entry of the ledger; null where there is none
   * @param weights whether all weights and curves are wanted, not just the first
   */
  public static Section of(
      PublishedModel model, Confirmed confirmed, LedgerEntry entry, boolean weights) {
    VersionDescription version = new VersionDescription(model);
    Section facts = RecordDescriptions.manifest(model.manifest());
    if (weights) {
      facts.fact("weights", model.weights()).fact("weightNames", new WeightText(model).names());
    }
    facts
        .fact(
            "ledgerMatches",
            switch (confirmed) {
              case YES -> Boolean.TRUE;
              case NO -> Boolean.FALSE;
              case NO_ENTRY, NO_LEDGER -> null;
            })
        .fact("terms", entry == null ? null : RecordDescriptions.terms(entry.terms()));
    int plotted = weights ? version.curves.size() : Math.min(MOST_PRINTED, version.curves.size());
    return Section.untitled()
        .append(version.answer(confirmed, entry))
        .detail(version.rest(facts, weights))
        .append(facts)
        .fact("curves", version.curves.subList(0, plotted));
  }

  private Section answer(Confirmed confirmed, LedgerEntry entry) {
    Guarantee guarantee = manifest.guarantee();
    String name =
        String.format(Locale.ROOT, "model %s, version %,d", manifest.modelId(), manifest.version());
    Section answer = Section.untitled()
        .sentence(name
            + switch (confirmed) {
              case YES -> ": whole, and its ledger entry confirms it.";
              case NO -> " IS NOT THE ONE THAT ITS LEDGER ENTRY IS ABOUT: do not use it.";
              case NO_ENTRY -> ": whole, but the ledger has no entry of it: do not use it.";
              case NO_LEDGER -> ": whole; it comes from a file, so no ledger confirms it.";
            });
    boolean exact = entry != null && Double.isInfinite(entry.terms().metricsRatio());
    answer.sentence(
        Double.isInfinite(guarantee.epsilon())
            ? "NO GUARANTEE: nothing is hidden."
            : exact
                ? "NO GUARANTEE: this run publishes exact metrics (metrics.unsafe.exact)."
                : "Cost so far: epsilon " + GuaranteeFigures.up(guarantee.epsilon(), 4)
                    + " at delta " + GuaranteeFigures.upShort(guarantee.delta(), 3)
                    + (entry == null || manifest.last()
                        ? " for " + guarantee.unit().sentence()
                        : ", " + BudgetText.of(entry))
                    + ".");
    if (manifest.last()) {
      answer.sentence(
          "It is the last one" + (entry == null ? "." : ": " + LedgerDescription.why(entry) + "."));
    }
    List<Curve> telling = curves.stream().filter(Curve::varies).toList();
    return answer
        .sentence("Learned"
            + (entry == null ? "" : String.format(Locale.ROOT, " from %,d slots", entry.slots()))
            + String.format(
                Locale.ROOT,
                " by %s with loss %s: %,d weights.",
                manifest.algorithm(),
                manifest.loss(),
                model.weights().length))
        .sentence(
            telling.isEmpty()
                ? ""
                : "What moves " + (telling.get(0).score() == null ? "the score" : "a score")
                    + " most: "
                    + telling.stream()
                        .limit(MOST_NAMED)
                        .map(Curve::words)
                        .collect(Collectors.joining(", "))
                    + ".");
  }

  private Section rest(Section facts, boolean weights) {
    Section rest = Section.untitled();
    FieldLines.of(facts).stream()
        .filter(each -> !each.startsWith("weight")) // they follow, with what they belong to
        .forEach(rest::lines);
    new WeightText(model)
        .lines(weights ? model.weights().length : MOST_PRINTED)
        .forEach(rest::lines);
    ScoreCurves.lines(curves, weights ? curves.size() : MOST_PLOTTED).forEach(rest::lines);
    return rest;
  }
}
