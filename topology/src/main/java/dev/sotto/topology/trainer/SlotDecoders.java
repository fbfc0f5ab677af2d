package dev.sotto.topology.trainer;

import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.settings.CandidateModels;
import java.util.List;

/**
 * What reads a slot: once, or once for each of several candidates, which have features of their
 * own.
 */
final class SlotDecoders {
  private final CandidateModels candidates;
  private final EventDecoder[] decoders;
  private final Slot[] slots;
  private String model;
  private List<String> ids = List.of();

  /**
   * Readers of a trainer's slots.
   *
   * @param decoders in the order of the candidates, or one
   */
  SlotDecoders(TrainerSettings settings, List<EventDecoder> decoders) {
    this.candidates = settings.run().candidates();
    this.decoders = decoders.toArray(EventDecoder[]::new);
    this.slots = new Slot[this.decoders.length];
    if (this.decoders.length != candidates.number()) {
      throw new IllegalArgumentException("there must be a decoder for each of "
          + candidates.number() + " models, but there are " + this.decoders.length);
    }
    for (int i = 0; i < slots.length; i++) {
      int inputs = candidates.isEmpty()
          ? settings.run().plan().inputs()
          : candidates.all().get(i).plan().inputs();
      if (this.decoders[i].dimension() != inputs) {
        throw new IllegalArgumentException("the decoder must give " + inputs
            + " features, but gives " + this.decoders[i].dimension());
      }
      slots[i] = new Slot(inputs);
    }
  }

  /** How many models learn from a slot. */
  int number() {
    return slots.length;
  }

  /** The id of one of those that learn from the records of a model. */
  String id(String modelId, int which) {
    if (candidates.isEmpty()) {
      return modelId;
    }
    if (!modelId.equals(model)) {
      model = modelId;
      ids = candidates.idsOf(modelId);
    }
    return ids.get(which);
  }

  /** The slot of a record as one of them sees it. */
  Slot read(int which, byte[] key, byte[] value) {
    decoders[which].decode(key, value, slots[which]);
    return slots[which];
  }
}
