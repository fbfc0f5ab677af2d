package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.release.OpenSum;
import dev.sotto.learner.release.PathSum;

/** Slots move a point, one after the other. */
final class PathSteps implements SlotSums {
  private final PathSum path;

  PathSteps(PathSum path) {
    this.path = path;
  }

  @Override
  public OpenSum sum() {
    return path;
  }

  @Override
  public void open(GradientQuery query, Opening opening) {
    path.open(opening.number(), query.point(), query.previous());
    path.perturb(opening.key(), opening.seed());
  }

  @Override
  public void resume(Opening opening) {
    path.perturb(opening.key(), opening.seed());
  }

  @Override
  public void add(Example example, long place) {
    path.add(example);
  }

  @Override
  public void recycle() {}
}
