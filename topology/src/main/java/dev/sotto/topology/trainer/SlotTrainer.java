package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.ModelRouting;
import java.util.List;

/** Learns where every record of the partition fills one slot of one model. */
public final class SlotTrainer extends PartitionTrainer {
  private final ModelRouting routing;
  private final EventDecoder decoder;
  private final Slot slot;
  private String rereading; // the model whose block was the last to be read again

  /**
   * A cold trainer: nothing is read or written before the first record.
   *
   * @param decoder of records; its labels are those that the plan's objective admits
   */
  public SlotTrainer(
      TrainerSettings settings,
      ModelRouting routing,
      EventDecoder decoder,
      Stores stores,
      Logs logs,
      TrainerOutput output) {
    super(settings, stores, logs, output);
    this.routing = routing;
    this.decoder = decoder;
    int inputs = settings.plan().inputs();
    if (decoder.dimension() != inputs) {
      throw new IllegalArgumentException(
          "the decoder must give " + inputs + " features, but gives " + decoder.dimension());
    }
    this.slot = new Slot(inputs);
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
    if (isTaken(offset) && rereading != null && !modelId.equals(rereading)) {
      return; // another model's block is read again
    }
    CachedModel model = models.ofAtMost(routing.most(), modelId, reader.position());
    if (model == null) {
      countNullSlot(offset);
      if (live) {
        setAside(record, RecordStatus.TOO_MANY_MODELS);
      }
      return;
    }
    if (offset < model.position) {
      return; // a checkpoint or a close has it already, or another model reads its block again
    }
    if (decoder.decode(key, value, slot) != RecordStatus.USED && live) {
      setAside(record, slot.verdict());
    }
    models.markUnsaved(model);
    model.position = offset + 1;
    if (model.learner.isExhausted()) {
      model.skipped++;
      return;
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
    if (model.learner.fill(slot, record.appended())) {
      long to = offset + 1;
      long from = model.versionOffset;
      boolean version = close(model, (first, last) -> ranges(from, to), to);
      model.firstOffset = -1;
      forget(to);
      if (version) {
        saveHeadAt(to);
      }
    } else if (model.learner.nextSlot() != place + 1) {
      rereading = modelId;
      model.position = model.learner.nextSlot() == 0 ? model.firstOffset : model.queryOffset;
      readAgain(model.position, offset);
    }
  }

  private List<OffsetRange> ranges(long from, long to) {
    return order == null
        ? List.of(new OffsetRange(settings.partition(), from, to))
        : order.version(to);
  }

  private void setAside(SourceRecord record, RecordStatus verdict) {
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
