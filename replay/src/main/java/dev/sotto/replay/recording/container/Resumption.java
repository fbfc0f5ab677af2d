package dev.sotto.replay.recording.container;

import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.core.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Finds where an incomplete container is gone on with: behind its last whole block. */
final class Resumption {
  private final Opened opened;
  private final Progressed progressed;
  private final RecordBlock record = new RecordBlock();
  private long position;

  private Resumption(Opened opened) {
    this.opened = opened;
    this.position = opened.headerBytes();
    this.progressed = new Progressed(
        opened.manifest().stretches().stream().map(Stretch::range).toList(), position);
  }

  /** Reads what is there, and takes its digests again. */
  static Resumption of(Opened opened) {
    Resumption found = new Resumption(opened);
    try {
      found.scan();
    } catch (IOException notWhole) {
      // The end of what is whole: position says where.
    }
    return found;
  }

  /** Where the last whole block ends. */
  long position() {
    return position;
  }

  Progressed progressed() {
    return progressed;
  }

  private void scan() throws IOException {
    Blocks blocks =
        new Blocks(opened.bytes(), opened.avro(), position, opened.bytes().length());
    for (ByteBuffer raw = blocks.next(); raw != null; raw = blocks.next()) {
      ByteBuffer block = opened.seal().isPresent() ? unsealed(raw) : raw;
      if (!isWhole(block, blocks.records())) {
        return;
      }
      enter(block);
      progressed.addBytes(block.array(), block.arrayOffset() + block.position(), block.remaining());
      if (opened.seal().isPresent()) {
        progressed.addBlock();
      }
      position = blocks.position();
    }
  }

  /** In the current partition, or as the first block of a later one. */
  private ByteBuffer unsealed(ByteBuffer raw) throws IOException {
    BlockSeal seal = opened.seal().get();
    for (int i = progressed.finished().size(); i < progressed.ranges().size(); i++) {
      try {
        return seal.open(raw, progressed.ranges().get(i).partition(), progressed.blocks());
      } catch (Refusal another) {
        // Not this one: the next is tried.
      }
    }
    throw new IOException("a block that no partition's seal opens");
  }

  private boolean isWhole(ByteBuffer block, long records) {
    record.wrap(block);
    try {
      for (long i = 0; i < records; i++) {
        record.next();
      }
      return record.finished();
    } catch (IllegalArgumentException damaged) {
      return false;
    }
  }

  private void enter(ByteBuffer block) throws IOException {
    record.wrap(block);
    try {
      while (!record.finished()) {
        record.next();
        while (record.partition() != progressed.current().partition()) {
          progressed.finish(position, progressed.blocks());
          if (progressed.complete()) {
            throw new IOException("a partition that was not asked for");
          }
        }
        progressed.check(record.partition(), record.offset());
      }
    } catch (IllegalArgumentException outOfOrder) {
      throw new IOException(outOfOrder);
    }
  }

  /**
   * Refuses to go on with what was begun otherwise.
   *
   * @throws StartFailure that says in which respect
   */
  static void check(Opened opened, ContainerSpec spec) {
    Manifest begun = opened.manifest();
    if (begun.complete()) {
      throw new StartFailure(
          ExitCode.USAGE,
          opened.file() + " is complete: it holds " + begun.topic()
              + "; name another file, or remove it");
    }
    if (begun.encrypted() != spec.encryption().recording(opened.sync()).isPresent()) {
      throw new StartFailure(
          ExitCode.USAGE,
          opened.file()
              + " was begun without encryption; go on without, or record to another file");
    }
    List<String> differences = new ArrayList<>();
    differ(differences, "cluster", begun.clusterId(), spec.clusterId());
    differ(differences, "topic", begun.topic(), spec.topic());
    differ(differences, "topic id", begun.topicId(), spec.topicId());
    differ(differences, "range", begun.request(), spec.request());
    differ(differences, "codec", begun.compression(), spec.compression());
    differ(differences, "schema", begun.schema(), spec.schema());
    if (!differences.isEmpty()) {
      throw new StartFailure(
          ExitCode.USAGE,
          opened.file() + " was begun otherwise: " + String.join("; ", differences)
              + ". Go on with it as it was begun, or record to another file");
    }
  }

  private static void differ(List<String> into, String what, Object begun, Object now) {
    if (!Objects.equals(begun, now)) {
      into.add(what + " " + begun + ", but now " + (now.toString().isEmpty() ? "none" : now));
    }
  }
}
