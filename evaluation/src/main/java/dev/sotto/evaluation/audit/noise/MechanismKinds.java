package dev.sotto.evaluation.audit.noise;

import dev.sotto.learner.mechanism.AnswerNoise;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.OrderedNoise;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.WindowTree;
import java.util.Optional;

/** The kinds of noise that the audit knows by their definitions. */
public final class MechanismKinds {
  private MechanismKinds() {}

  /** Noise of its own on every answer. */
  public static Optional<AnswerNoise> answers(Mechanism mechanism) {
    return mechanism.ofQueries().flatMap(QueryMechanism::answers);
  }

  /** Noise of the averages of paths. */
  public static Optional<PathNoise> paths(Mechanism mechanism) {
    Optional<OrderedNoise> ordered = mechanism.ofQueries().flatMap(QueryMechanism::ordered);
    return ordered.flatMap(each -> each.match(Optional::of, calls -> Optional.empty()));
  }

  /** A tree of decayed sums. */
  public static Optional<MomentumTree> decayedSums(Mechanism mechanism) {
    return mechanism.ofQueries().flatMap(each -> each.kind(new Trees()).decayed());
  }

  /** Trees that windows read. */
  public static Optional<WindowTree> windows(Mechanism mechanism) {
    return mechanism.ofQueries().flatMap(each -> each.kind(new Trees()).windows());
  }

  private record Found(Optional<MomentumTree> decayed, Optional<WindowTree> windows) {}

  private static final class Trees implements QueryMechanism.Kinds<Found> {
    @Override
    public Found answers(AnswerNoise noise) {
      return new Found(Optional.empty(), Optional.empty());
    }

    @Override
    public Found decayedSums(MomentumTree tree) {
      return new Found(Optional.of(tree), Optional.empty());
    }

    @Override
    public Found windows(WindowTree tree) {
      return new Found(Optional.empty(), Optional.of(tree));
    }
  }
}
