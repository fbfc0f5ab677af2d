package dev.sotto.learner.optimizer.resque;

import dev.sotto.learner.optimizer.AdviceInputs;
import java.util.ArrayList;
import java.util.List;

/** When another form of {@code resque}, or another algorithm, is the better choice. */
public final class ResqueAdvice {
  private ResqueAdvice() {}

  /**
   * Of a form.
   *
   * @param reason why it was chosen; empty where somebody chose it by name
   * @param own sentences of the form
   */
  static List<String> of(AdviceInputs of, String reason, List<String> own) {
    if (!of.isConvex()) {
      return of.notConvex();
    }
    List<String> sentences = new ArrayList<>(reason.isEmpty() ? List.of() : List.of(reason));
    sentences.addAll(own);
    return sentences;
  }

  /** Of a form that takes slots in their order. */
  public static List<String> ordered(AdviceInputs of, String reason) {
    return of(
        of,
        reason,
        List.of(
            "Each event is read once. With resque.form pool, which layout rounds has always, blocks"
                + " are read many times, and the guarantee rests on clipping and noise alone. Where"
                + " data drift, private-ftrl is the first choice."));
  }
}
