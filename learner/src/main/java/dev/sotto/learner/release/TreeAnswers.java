package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.PagedBytes;
import java.util.Optional;

/** Sums over the noisy nodes of a tree whose leaves are the sums of queries. */
final class TreeAnswers extends QueryAnswers {
  private final Lattice lattice;
  private final TreeSum tree;
  private final boolean endless;

  /**
   * Answers of a tree.
   *
   * @param endless whether it goes on from block to block
   */
  TreeAnswers(Lattice lattice, TreeSum tree, boolean endless) {
    this.lattice = lattice;
    this.tree = tree;
    this.endless = endless;
  }

  @Override
  void check(OpenSum sum, long query) {
    checkSum(sum, 1, 1);
  }

  @Override
  Optional<NoisySum> answer(OpenSum sum, long query, NoiseRelease.Moment now) {
    if (query == 1 && !endless) {
      tree.restart();
    }
    tree.take(sum.numbers(), now.digest(), now.key());
    return Optional.of(NoisySum.ofTree(now.round(), tree, lattice.unit(), sum.room()));
  }

  @Override
  PagedBytes state(int pageBytes) {
    return tree.state(pageBytes);
  }
}
