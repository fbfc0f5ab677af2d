package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the defaults learn where gradients are cut to a share of the largest slope of the loss, or
 * of the quarter of its labels' range, with numbers as curves and as straight lines: how the clips
 * of the losses were chosen.
 */
final class HatsAndClips implements Experiment {
  private static final double[] EPSILONS = {0.25, 1, 4};
  private static final double[] SHARES = {1, 0.75, 0.5};
  private static final int SEEDS = 2;

  /**
   * One way to learn a set.
   *
   * @param share of the clip
   */
  private record Case(QualitySet set, double epsilon, int hats, double share, Plan plan) {}

  @Override
  public String name() {
    return "hats";
  }

  @Override
  public String question() {
    return "To which share of a loss's slope should gradients be cut, with hats and without?";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Measured<Case>> all = new ArrayList<>();
    for (QualitySet set : trials.choose(List.of(QualitySet.values()), List.of(QualitySet.SEA))) {
      all.addAll(measured(trials, set, 0));
      all.addAll(measured(trials, set, 8));
    }
    return Outcome.of(new Columns<Measured<Case>>()
        .add("set", each -> each.of().set().label)
        .add("epsilon", each -> each.of().epsilon())
        .add("hats", each -> each.of().hats())
        .add("share", each -> each.of().share())
        .add("clip", each -> each.of().plan().clip())
        .add("round", each -> each.of().plan().batch())
        .add("loss", each -> each.mean(0))
        .of(all));
  }

  private static List<Measured<Case>> measured(Trials trials, QualitySet set, int hats)
      throws IOException {
    QualityRun run = new QualityRun(set, trials.data(), List.of("features.hats=" + hats));
    List<Case> cases = new ArrayList<>();
    for (double epsilon : EPSILONS) {
      for (double share : SHARES) {
        double clip = share * set.slope();
        cases.add(new Case(set, epsilon, hats, share, run.plan(epsilon, "clip.norm=" + clip)));
      }
    }
    return trials.run(
        set.label + ", hats " + hats,
        cases,
        trials.choose(SEEDS, 1),
        (each, seed) -> run.losses(each.plan(), seed + 1));
  }
}
