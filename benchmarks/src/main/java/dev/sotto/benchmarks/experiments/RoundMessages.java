package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.PartialSumLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundPart;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.log.ControlRecords;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;

/**
 * Bytes of the records of one synchronous round of layout rounds, as they are written: keys, values
 * and headers, without encryption of topics and without what the log's format adds.
 *
 * @param down from the coordinator to one worker: the point, and the closing
 * @param up from one worker to the coordinator: its part
 */
record RoundMessages(long down, long up) {
  private static final int PIECE = 512 * 1024;

  static RoundMessages of(Plan plan) {
    NoiseKey key = NoiseKey.of(ByteBuffer.allocate(32).putLong(1).array());
    ModelLearner coordinator = ModelLearner.start(plan, key, "model", "experiment", null);
    long down = 0;
    for (ControlRecords.Entry each : ControlRecords.round(
        coordinator.queryOf(1), coordinator.keyId(), Encryption.none().topic(null))) {
      down += each.key().length + each.value().length;
      for (Header header : each.headers()) {
        down += header.key().length() + header.value().length;
      }
    }
    PartialSumLearner worker = new PartialSumLearner(plan, key, coordinator.runId());
    worker.open(coordinator.queryOf(1), coordinator.keyId());
    worker.fillAbsent(1);
    byte[] sealed = worker.seal(new byte[28]);
    long up = 0;
    int pieces = (sealed.length + PIECE - 1) / PIECE;
    for (int i = 0; i < pieces; i++) {
      byte[] piece = new byte[Math.min(PIECE, sealed.length - i * PIECE)];
      long slots = plan.batch();
      RoundPart part = new RoundPart(1, 0, slots, 2 * slots, Long.MAX_VALUE, i, pieces, piece);
      up += "0/1/0".length() + RoundCodecs.PART.encode(part).length;
    }
    return new RoundMessages(down, up);
  }
}
