package dev.sotto.topology.core;

import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.LearnerState;
import dev.sotto.serdes.record.ModelHead;
import dev.sotto.serdes.record.OpenCheckpoint;
import dev.sotto.serdes.record.PartitionHead;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The stored records of one trainer, by name; large ones are cut into chunks that fit a broker's defaults. */
final class LearnerStore {
  private static final int CHUNK = 512 * 1024;
  private static final String HEAD = "partition";

  private final StateTable heads;
  private final StateTable arrays;

  LearnerStore(StateTable heads, StateTable arrays) {
    this.heads = heads;
    this.arrays = arrays;
  }

  PartitionHead partitionHead() {
    byte[] bytes = heads.get(HEAD);
    return bytes == null ? null : Codecs.PARTITION_HEAD.decode(bytes);
  }

  void put(PartitionHead head) {
    heads.put(HEAD, Codecs.PARTITION_HEAD.encode(head));
  }

  ModelHead modelHead(String modelId) {
    byte[] bytes = heads.get(StoredModels.PREFIX + modelId);
    return bytes == null ? null : Codecs.MODEL_HEAD.decode(bytes);
  }

  void put(String modelId, ModelHead head) {
    heads.put(StoredModels.PREFIX + modelId, Codecs.MODEL_HEAD.encode(head));
  }

  OpenCheckpoint open(String modelId) {
    byte[] bytes = chunked("open/" + modelId);
    requireMark("open/" + modelId, bytes);
    return bytes == null ? null : Codecs.OPEN_CHECKPOINT.decode(bytes);
  }

  /** The two tables are restored from two logs: each write to the second leaves its hash in the first. */
  private void requireMark(String name, byte[] bytes) {
    byte[] mark = heads.get("hash/" + name);
    if (!Arrays.equals(mark, bytes == null ? null : Hashes.sha256(bytes))) {
      throw new IllegalStateException("the two state stores do not agree on " + name
          + ": one of them was restored to an earlier commit. If this stays, remove the state folder, so that both are"
          + " restored again");
    }
  }

  void put(String modelId, OpenCheckpoint open) {
    putChunked("open/" + modelId, Codecs.OPEN_CHECKPOINT.encode(open));
  }

  LearnerState learner(String modelId) {
    byte[] bytes = chunked("state/" + modelId);
    requireMark("state/" + modelId, bytes);
    return bytes == null ? null : Codecs.LEARNER_STATE.decode(bytes);
  }

  void put(String modelId, LearnerState state) {
    putChunked("state/" + modelId, Codecs.LEARNER_STATE.encode(state));
  }

  private byte[] chunked(String name) {
    byte[] first = arrays.get(name + "/0");
    if (first == null) {
      return null;
    }
    ByteBuffer header = ByteBuffer.wrap(first);
    int length = header.getInt();
    byte[] whole = new byte[length];
    int done = Math.min(length, header.remaining());
    header.get(whole, 0, done);
    for (int chunk = 1; done < length; chunk++) {
      byte[] next = arrays.get(name + "/" + chunk);
      if (next == null || next.length > length - done) {
        throw new Refusal("the stored state " + name + " lacks chunk " + chunk + " of " + length
            + " bytes: the state store is damaged; remove the state folder so that it is restored");
      }
      System.arraycopy(next, 0, whole, done, next.length);
      done += next.length;
    }
    return whole;
  }

  private void putChunked(String name, byte[] whole) {
    heads.put("hash/" + name, Hashes.sha256(whole));
    int first = Math.min(whole.length, CHUNK);
    arrays.put(
        name + "/0",
        ByteBuffer.allocate(4 + first).putInt(whole.length).put(whole, 0, first).array());
    int done = first;
    for (int chunk = 1; done < whole.length; chunk++) {
      int end = Math.min(whole.length, done + CHUNK);
      arrays.put(name + "/" + chunk, Arrays.copyOfRange(whole, done, end));
      done = end;
    }
  }
}
