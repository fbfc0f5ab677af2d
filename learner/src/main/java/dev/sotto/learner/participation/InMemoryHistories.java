package dev.sotto.learner.participation;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Histories on the heap, for a model that lives as long as the process. */
public final class InMemoryHistories implements UnitHistories {
  private final Map<ByteBuffer, byte[]> histories = new HashMap<>();

  @Override
  public byte[] get(byte[] name) {
    return histories.get(ByteBuffer.wrap(name));
  }

  @Override
  public void put(byte[] name, byte[] history) {
    histories.put(ByteBuffer.wrap(name), history);
  }
}
