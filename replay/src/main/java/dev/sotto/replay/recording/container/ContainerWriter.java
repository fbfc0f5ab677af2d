package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingFault;
import dev.sotto.topology.StartFailure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.kafka.common.header.Header;

/**
 * Writes a container, readable by its owner alone: partition after partition, each in ascending order of offsets. Until
 * {@link #complete()} the header says that it is incomplete; whoever opens it again goes on behind the last whole block.
 */
public final class ContainerWriter implements Closeable {
  private static final int BLOCK_BYTES = 1 << 16;

  private final Path file;
  private final FileChannel channel;
  private final Manifest manifest;
  private final long manifestAt;
  private final int manifestBytes;
  private final byte[] sync;
  private final BlockSeal seal;
  private final Progressed progressed;
  private final boolean resumed;
  private final BlockSeal.Place place = new BlockSeal.Place();
  private final DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>());
  private final RecordBytes bytes = new RecordBytes();
  private long written;

  /**
   * Begins a file, or goes on with one.
   *
   * @throws StartFailure where it was begun otherwise, is complete, or cannot be written
   * @throws RecordingFault where it is no recording
   */
  public static ContainerWriter open(Path file, ContainerSpec spec) {
    try {
      boolean resumed = Files.exists(file);
      FileChannel channel = OutputFile.open(file, resumed);
      try {
        OutputFile.lock(file, channel);
        return resumed
            ? new ContainerWriter(file, channel, spec, Opened.of(file, spec.encryption()))
            : new ContainerWriter(file, channel, spec);
      } catch (IOException | RuntimeException failed) {
        channel.close();
        if (!resumed) {
          Files.deleteIfExists(file);
        }
        throw failed;
      }
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }

  private ContainerWriter(Path file, FileChannel channel, ContainerSpec spec) throws IOException {
    this.file = file;
    this.channel = channel;
    this.resumed = false;
    List<Stretch> stretches = spec.ranges().get().stream().map(Stretch::open).toList();
    Manifest begun = new Manifest(
        false,
        spec.clusterId(),
        spec.topic(),
        spec.topicId(),
        spec.request(),
        spec.compression(),
        spec.encryption().recording(new byte[0]).isPresent(),
        spec.schema(),
        0,
        stretches,
        "");
    this.manifest = begun;
    this.sync = begun.encrypted() ? random() : derived(begun);
    this.seal = seal(spec).orElse(null);
    this.manifestBytes = ManifestJson.write(begun.longest(), seal).length;
    byte[] header = header(begun);
    start(header, false);
    long end = channel.position();
    byte[] head = new byte[Math.toIntExact(end)];
    channel.read(ByteBuffer.wrap(head), 0);
    this.manifestAt = Opened.place(head, header);
    this.progressed = new Progressed(stretches.stream().map(Stretch::range).toList(), end);
    enter();
    channel.force(true);
  }

  private ContainerWriter(Path file, FileChannel channel, ContainerSpec spec, Opened opened)
      throws IOException {
    Resumption.check(opened, spec);
    OutputFile.claim(file);
    Resumption found = Resumption.of(opened);
    this.file = file;
    this.channel = channel;
    this.resumed = true;
    this.manifest = opened.manifest();
    this.manifestAt = opened.manifestAt();
    this.manifestBytes = opened.manifestBytes();
    this.sync = opened.sync();
    this.seal = opened.seal().orElse(null);
    this.progressed = found.progressed();
    channel.truncate(found.position());
    channel.position(found.position());
    start(header(manifest), true);
    enter();
  }

  /** Makes Avro's writer ready for blocks; of a file that has its header, none is written. */
  private void start(byte[] header, boolean hasHeader) throws IOException {
    writer.setCodec(seal == null ? manifest.compression().factory() : seal.factory(place));
    writer.setSyncInterval(BLOCK_BYTES);
    writer.setMeta(Opened.MANIFEST, header);
    ChannelStream stream = new ChannelStream(channel, !hasHeader);
    writer.create(RecordSchema.SCHEMA, stream, sync);
    stream.open();
  }

  private Optional<BlockSeal> seal(ContainerSpec spec) {
    return spec.encryption().recording(sync).map(each -> new BlockSeal(each, spec.compression()));
  }

  /** The ranges that were asked for, when the file was begun. */
  public List<RecordedRange> ranges() {
    return progressed.ranges();
  }

  /** Whether the file had been begun before. */
  public boolean resumed() {
    return resumed;
  }

  /** Whether a partition is whole. */
  public boolean isFinished(int partition) {
    return progressed.finished().stream().anyMatch(each -> each.range().partition() == partition);
  }

  /** The first offset of the current partition, the first that is not finished, that is still missing. */
  public long next() {
    return Math.max(progressed.current().from(), progressed.offset() + 1);
  }

  /** How many records there are, of all partitions. */
  public long records() {
    return progressed.finished().stream()
            .mapToLong(each -> each.range().records())
            .sum()
        + (progressed.complete() ? 0 : progressed.records());
  }

  /** How many records were appended since it was opened. */
  public long written() {
    return written;
  }

  /**
   * Appends a record to the current partition.
   *
   * @param key may be null
   * @param value may be null
   * @throws IllegalArgumentException where it does not belong there
   */
  public void append(
      int partition, long offset, long timestamp, byte[] key, byte[] value, Header[] headers) {
    try {
      ByteBuffer encoded = bytes.of(partition, offset, timestamp, key, value, headers);
      progressed.add(partition, offset, encoded.array(), 0, encoded.remaining());
      writer.appendEncoded(encoded);
      written++;
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }

  /** Ends the block, so that what was appended outlives an abrupt end. */
  public void flush() {
    try {
      writer.sync();
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }

  /** The current partition is whole. */
  public void finish() {
    try {
      writer.sync();
      channel.force(false);
      progressed.finish(channel.position(), place.block());
      enter();
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }

  private void enter() {
    if (!progressed.complete()) {
      place.at(progressed.current().partition(), progressed.blocks());
    }
  }

  /**
   * All partitions are whole.
   *
   * @throws RecordingFault where there is no record in any of them; the file is removed
   */
  public void complete() {
    if (!progressed.complete()) {
      throw new IllegalStateException("partition " + progressed.current() + " is not finished");
    }
    try {
      if (records() == 0) {
        close();
        Files.delete(file);
        throw new RecordingFault("nothing was recorded: " + manifest.topic()
            + " holds no committed record in " + manifest.request() + "; record another range");
      }
      Manifest whole = manifest.completed(progressed.finished(), channel.position());
      byte[] header = header(whole);
      channel.force(true); // the records first: a header that says complete must not be alone
      for (int done = 0; done < header.length; ) {
        done +=
            channel.write(ByteBuffer.wrap(header, done, header.length - done), manifestAt + done);
      }
      channel.force(true);
      close();
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }

  private byte[] header(Manifest of) {
    byte[] schema = RecordSchema.SCHEMA.toString().getBytes(StandardCharsets.UTF_8);
    String codec = of.encrypted() ? BlockSeal.NAME : of.compression().toString();
    Manifest digested = of.withDigest(Opened.digest(schema, codec, sync, of));
    return ManifestJson.padded(ManifestJson.write(digested, seal), manifestBytes);
  }

  private static byte[] random() {
    byte[] sync = new byte[DataFileConstants.SYNC_SIZE];
    new SecureRandom().nextBytes(sync);
    return sync;
  }

  /** The same recording gives the same file. */
  private static byte[] derived(Manifest manifest) {
    byte[] digest = Sums.sha256().digest(ManifestJson.digested(manifest));
    return Arrays.copyOf(digest, DataFileConstants.SYNC_SIZE);
  }

  /** Ends writing; what is there stays, incomplete unless it was completed. */
  @Override
  public void close() {
    try (channel) {
      if (channel.isOpen()) {
        writer.close();
      }
    } catch (IOException failed) {
      throw OutputFile.unwritable(file, failed);
    }
  }
}
