package dev.sotto.topology.log;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.List;
import java.util.Optional;

/**
 * From a record to its slot, for everybody who asks what a record is to the learner: once, or once
 * for each of several candidates, which have features of their own. Not safe for use by several
 * threads.
 */
public final class SlotDecoders {
  private final CandidateModels candidates;
  private final EventDecoder[] decoders;
  private final Slot[] slots;
  private final String[] ids; // of the models that learn from the records of one
  private String model = "";
  private long place; // of the record that is decoded

  /**
   * Readers of slots.
   *
   * @param decoders in the order of the candidates; their labels are those that the objectives
   *     admit
   * @param topicId id of the event topic
   * @param places where its events lie
   */
  public SlotDecoders(
      CandidateModels candidates, List<EventDecoder> decoders, String topicId, EventPlaces places) {
    this.candidates = candidates;
    this.decoders = decoders.toArray(EventDecoder[]::new);
    this.slots = new Slot[this.decoders.length];
    this.ids = new String[this.decoders.length];
    if (this.decoders.length != candidates.number()) {
      throw new IllegalArgumentException("there must be a decoder for each of "
          + candidates.number() + " models, but there are " + this.decoders.length);
    }
    Here here = new Here(topicId, places);
    for (int i = 0; i < slots.length; i++) {
      int inputs = candidates.all().get(i).plan().inputs();
      if (this.decoders[i].dimension() != inputs) {
        throw new IllegalArgumentException("the decoder must give " + inputs
            + " features, but gives " + this.decoders[i].dimension());
      }
      slots[i] = new Slot(inputs);
      this.decoders[i].placedBy(here);
    }
  }

  /**
   * Readers of the slots of one partition.
   *
   * @param topicId id of the topic that is learned from
   */
  public static SlotDecoders of(LearnerSettings settings, String topicId, int partition) {
    return new SlotDecoders(
        settings.run().candidates(), settings.newDecoders(), topicId, EventPlaces.of(partition));
  }

  /** How many models learn from a slot. */
  public int number() {
    return slots.length;
  }

  /** The id of one of those that learn from the records of a model. */
  public String id(String modelId, int which) {
    if (!modelId.equals(model)) {
      model = modelId;
      for (int i = 0; i < ids.length; i++) {
        ids[i] = candidates.all().get(i).idOf(modelId);
      }
    }
    return ids[which];
  }

  /** The slot of a record as one of them sees it, until it reads the next. */
  public Slot read(int which, SourceRecord record) {
    place = record.place();
    decoders[which].decode(record.key(), record.value(), slots[which]);
    return slots[which];
  }

  /** What is wrong with the record that one of them has read last. */
  public RecordFault fault(int which) {
    RecordStatus status = slots[which].status();
    return new RecordFault(
        status, status.isSetAside() ? decoders[which].fault(status) : Optional.empty());
  }

  /** Where the event lies that is decoded. */
  private final class Here implements RecordPlace {
    private final String topicId;
    private final EventPlaces places;

    Here(String topicId, EventPlaces places) {
      this.topicId = topicId;
      this.places = places;
    }

    @Override
    public String topic() {
      return topicId;
    }

    @Override
    public int partition() {
      return places.partitionAt(place);
    }

    @Override
    public long offset() {
      return places.offsetAt(place);
    }
  }
}
