package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.ModelRouting;
import java.util.List;

/** Learns where every record of the partition fills one slot of one model. */
public final class SlotTrainer extends PartitionTrainer {
  private final ModelRouting routing;
  private final SlotLearners learners;
  private String rereading; // the model whose block was the last to be read again
  private long taken; // offset of the record that is decoded

  /**
   * A cold trainer: nothing is read or written before the first record.
   *
   * @param decoders of records, one for each model that learns from a slot; their labels are those
   *     that the model's objective admits
   */
  public SlotTrainer(
      TrainerSettings settings,
      ModelRouting routing,
      List<EventDecoder> decoders,
      Stores stores,
      Logs logs,
      TrainerOutput output) {
    super(settings, stores, logs, output);
    this.routing = routing;
    this.learners = new SlotLearners(settings, decoders);
    Here here = new Here();
    decoders.forEach(each -> each.placedBy(here));
  }

  @Override
  long originOf(long firstOffset) {
    return firstOffset;
  }

  @Override
  void learn(SourceRecord record, boolean live) {
    long offset = record.offset();
    byte[] key = record.key();
    byte[] value = record.value();
    String modelId = routing.modelOf(key, record.modelHeader());
    if (modelId == null) {
      countNullSlot(offset);
      if (live) {
        setAside(record, RecordStatus.NO_MODEL);
      }
      return;
    }
    taken = offset;
    boolean broken = false;
    boolean version = false;
    boolean listed = isListed(modelId);
    int retired = 0;
    for (int which = 0; which < learners.number(); which++) {
      String id = learners.id(modelId, which);
      if (models.isRetired(id, listed, reader.position())) {
        retired++;
        continue;
      }
      if (isTaken(offset) && rereading != null && !id.equals(rereading)) {
        continue; // another model's block is read again
      }
      CachedModel model = models.ofAtMost(most(), id, reader.position());
      if (model == null) {
        countNullSlot(offset);
        if (live) {
          setAside(record, RecordStatus.TOO_MANY_MODELS);
        }
        return;
      }
      if (offset < model.position) {
        continue; // a checkpoint or a close has it already, or another model reads its block again
      }
      Slot slot = learners.read(which, key, value);
      if (!broken && slot.verdict() != RecordStatus.USED && live) {
        setAside(record, slot.verdict()); // once, whichever of them could not read it
      }
      broken |= slot.verdict() != RecordStatus.USED;
      version |= learn(model, record, slot);
    }
    if (retired == learners.number()) {
      countNullSlot(offset);
      if (live) {
        setAside(record, RecordStatus.RETIRED);
      }
    }
    if (version) {
      saveHeadAt(offset + 1);
    }
  }

  private boolean isListed(String modelId) {
    return !routing.retired().isEmpty() && routing.retired().contains(modelId);
  }

  /** The state of retired models goes without waiting for a record of theirs. */
  @Override
  void begun() {
    for (String modelId : routing.retired()) {
      for (int which = 0; which < learners.number(); which++) {
        models.isRetired(learners.id(modelId, which), true, reader.position());
      }
    }
  }

  /** Candidates for one model count as one. */
  private long most() {
    long most = routing.most();
    return most > Long.MAX_VALUE / learners.number() ? most : most * learners.number();
  }

  /** One model takes a slot; whether it ended a version. */
  private boolean learn(CachedModel model, SourceRecord record, Slot slot) {
    long offset = record.offset();
    models.markUnsaved(model);
    model.position = offset + 1;
    if (model.learner.isExhausted()) {
      model.skipped++;
      return false;
    }
    if (model.firstOffset < 0) {
      model.firstOffset = offset;
      if (model.versionOffset < 0) {
        model.versionOffset = offset;
        if (order != null) {
          order.beginVersion(offset);
        }
      }
    }
    if (model.learner.openSlots() == 0) {
      model.queryOffset = offset;
    }
    long place = model.learner.nextSlot();
    long round = model.learner.round() + 1;
    boolean full = model.learner.fill(slot, record.appended());
    settings.run().observer().filled(model.modelId, round, place, slot);
    if (full) {
      long to = offset + 1;
      long from = model.versionOffset;
      boolean version = close(model, (first, last) -> ranges(from, to), to);
      model.firstOffset = -1;
      forget(to);
      return version;
    }
    if (model.learner.nextSlot() != place + 1) {
      rereading = model.modelId;
      model.position = model.learner.nextSlot() == 0 ? model.firstOffset : model.queryOffset;
      readAgain(model.position, offset);
    }
    return false;
  }

  private List<OffsetRange> ranges(long from, long to) {
    return order == null
        ? List.of(new OffsetRange(settings.partition(), from, to))
        : order.version(to);
  }

  private void setAside(SourceRecord record, RecordStatus verdict) {
    if (verdict == RecordStatus.NO_LABEL) { // as usual as one with a label
      return;
    }
    int partition = settings.partition();
    long offset = record.offset();
    if (order != null) {
      SlotOrder.Event event = order.eventAt(offset);
      partition = event.partition();
      offset = event.offset();
    }
    output.deadLetter(partition, offset, record.appended(), record.key(), record.value(), verdict);
  }

  @Override
  boolean isInVersion() {
    return models.anyInVersion();
  }

  /** Records that no open block reads again need not be remembered. */
  private void forget(long to) {
    if (remembered != null) {
      remembered.forgetBelow(models.firstOffset(to));
    }
  }

  @Override
  public void checkpoint() {
    if (isWarm()) {
      models.checkpoint(reader.position());
      saveHeadAt(reader.position());
    }
  }

  /** Where the event of a slot lies, whatever its place in an order. */
  private final class Here implements RecordPlace {
    @Override
    public String topic() {
      return order == null ? settings.topicId() : settings.source().eventTopicId();
    }

    @Override
    public int partition() {
      return order == null ? settings.partition() : order.eventAt(taken).partition();
    }

    @Override
    public long offset() {
      return order == null ? taken : order.eventAt(taken).offset();
    }
  }

  /** A large state at each piece would cost more than reading again. */
  @Override
  void savePiece() {
    if (isCheckpointDue()) {
      checkpoint();
    } else {
      saveHeadAt(reader.position());
    }
  }
}
