package dev.sotto.learner.mechanism;

import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;

/** One ordered pass, for people: phases, and the noise of their averages. */
final class PathTable {
  private PathTable() {}

  static Section of(PathNoise noise, PlanFigures plan) {
    Table table = Table.forPeople(
        Column.text("slots", "slots"),
        Column.number("step", "step"),
        Column.number("std", "noise of the average"),
        Column.number("ofAll", "of all weights"));
    for (long query = 1; query <= noise.queries(); query++) {
      QuerySchedule.Query phase = noise.schedule().query(query);
      double std = plan.sigma() * noise.noise(query);
      table.row(Section.untitled()
          .fact("slots", phase.first() + " to " + (phase.end() - 1))
          .fact("step", noise.step(query))
          .fact("std", std)
          .fact("ofAll", std * Math.sqrt(plan.dimension())));
    }
    return Section.titled("The phases of a block, and their noise")
        .add(table)
        .sentence("In each phase every slot moves the weights by one step, in their order. The"
            + " average of the points on the way is released with this noise, per weight and over"
            + " all weights, and the next phase begins there. The last one is published. The steps"
            + " of later phases are shorter, and so is their noise: that of the first nearly"
            + " vanishes.")
        .sentence("This guarantee rests on more than clipping and noise: on slopes of the loss"
            + " that never fall, and on a smoothness that each step keeps to (docs/resque.md).");
  }
}
