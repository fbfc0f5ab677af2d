package dev.sotto.replay.recording.container;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Writes to a channel once it is open; before, what comes is dropped. */
final class ChannelStream extends OutputStream {
  private final FileChannel channel;
  private boolean open;

  ChannelStream(FileChannel channel, boolean open) {
    this.channel = channel;
    this.open = open;
  }

  void open() {
    open = true;
  }

  @Override
  public void write(int each) throws IOException {
    write(new byte[] {(byte) each}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes, from, length);
    while (open && left.hasRemaining()) {
      channel.write(left);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
