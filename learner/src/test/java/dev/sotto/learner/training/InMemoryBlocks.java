package dev.sotto.learner.training;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Feeds slots to a {@link ModelLearner} and closes its rounds, and feeds those that its algorithm
 * reads again from memory: for runs without a log that could be read again. Not safe for use by
 * several threads.
 */
public final class InMemoryBlocks {
  private final ModelLearner learner;
  private final boolean again;
  private final Slot slot;
  private final List<Kept> block = new ArrayList<>();

  private record Kept(
      RecordStatus status,
      int[] indices,
      double[] values,
      double label,
      double weight,
      byte[] unit) {
    static Kept of(Slot slot) {
      Example example = slot.example();
      return new Kept(
          slot.status(),
          example.isSparse() ? Arrays.copyOf(example.indices(), example.size()) : null,
          Arrays.copyOf(example.values(), example.size()),
          example.label(),
          example.weight(),
          slot.unitLength() < 0 ? null : Arrays.copyOf(slot.unit(), slot.unitLength()));
    }

    void into(Slot slot) {
      slot.clear();
      slot.example().restore(indices, values);
      slot.example().label(label);
      slot.example().weight(weight);
      slot.status(status);
      if (unit != null) {
        slot.unit(unit, 0, unit.length);
      }
    }
  }

  /** Of a learner whose open block, if any, has no slots yet. */
  public InMemoryBlocks(Plan plan, ModelLearner learner) {
    this.learner = learner;
    this.again = plan.learnsFromBlocks() && plan.block().readsAgain();
    this.slot = new Slot(plan.inputs());
  }

  /** Fills these slots; the rounds that have closed. */
  public List<ClosedRound> fillAll(List<Slot> slots) {
    List<ClosedRound> rounds = new ArrayList<>();
    slots.forEach(each -> fill(each).ifPresent(rounds::add));
    return rounds;
  }

  /** Fills one slot, and what is to be read again after it; the round, where one has closed. */
  public Optional<ClosedRound> fill(Slot next) {
    if (!again || learner.isExhausted()) {
      return learner.fill(next) ? Optional.of(learner.close()) : Optional.empty();
    }
    block.add(Kept.of(next));
    boolean full = learner.fill(next);
    while (!full && learner.nextSlot() < block.size()) {
      block.get((int) learner.nextSlot()).into(slot);
      full = learner.fill(slot);
    }
    if (!full) {
      return Optional.empty();
    }
    block.clear();
    return Optional.of(learner.close());
  }
}
