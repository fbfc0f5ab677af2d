package dev.sotto.app.command;

import dev.sotto.app.page.PublishedNow;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.GuaranteeFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How a learner is, in few words: the same figures for a line that stays and for one that is drawn
 * in place.
 *
 * @param words each figure with what it is, the most important first
 * @param brief the same in as few characters as can be read
 */
record RunFigures(List<String> words, List<String> brief) {
  private static final String GAP = " | ";

  /** Of the newest version, and of all events. */
  static RunFigures of(PublishedNow.Version newest, PublishedNow published, LearningRate rate) {
    RunFigures figures = new RunFigures(new ArrayList<>(), new ArrayList<>());
    LedgerEntry entry = newest.entry();
    int models = published.versions().size();
    String number = String.format(Locale.ROOT, "%,d", entry.round());
    figures.add(
        "version " + number
            + (models == 1 ? "" : " of " + entry.modelId() + " (" + models + " models)"),
        "v" + number + (models == 1 ? "" : " of " + models));
    Double perSecond = rate.perSecond();
    if (perSecond != null) {
      String text = perSecond < 9.95
          ? String.format(Locale.ROOT, "%.1f", perSecond)
          : String.format(Locale.ROOT, "%,.0f", perSecond);
      figures.add(text + " events/s", text + "/s");
    }
    if (entry.last()) {
      figures.add("nothing more is learned", "ended");
    } else if (published.waiting().isPresent()) {
      String waiting = String.format(Locale.ROOT, "%,d", published.waiting().getAsLong());
      figures.add("lag " + waiting, "lag " + waiting);
    }
    if (Double.isInfinite(entry.terms().metricsRatio())) {
      figures.add("NO GUARANTEE (exact metrics)", "NO GUARANTEE");
    } else {
      String spent = GuaranteeFigures.up(entry.guarantee().epsilon(), 4);
      String budget = GuaranteeFigures.upShort(entry.budgetEpsilon(), 4);
      figures.add("epsilon " + spent + " of " + budget, "eps " + spent + "/" + budget);
    }
    if (newest.loss() != null) {
      String loss = String.format(Locale.ROOT, "%.4f", newest.loss());
      String error = newest.lossError() == null
          ? ""
          : String.format(Locale.ROOT, " +- %.4f", newest.lossError());
      figures.add("loss " + loss + error, "loss " + loss);
    }
    return figures;
  }

  private void add(String word, String few) {
    words.add(word);
    brief.add(few);
  }

  /** Lines that begin with a phase, longest first; each has fewer figures or shorter ones. */
  List<String> forms(String phase) {
    List<String> forms = new ArrayList<>();
    forms.add(phase + GAP + String.join(GAP, words));
    for (int left = brief.size(); left > 0; left--) {
      forms.add(phase + GAP + String.join(GAP, brief.subList(0, left)));
    }
    forms.add(phase);
    return forms;
  }
}
