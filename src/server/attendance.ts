/** How many who may answer questions look at them now. */
export interface Attendance {
  /** Until it is disposed of. */
  enter(): Disposable;
  count(): number;
}

export function createAttendance(): Attendance {
  let here = 0;
  return {
    enter() {
      here += 1;
      return {
        [Symbol.dispose]() {
          here -= 1;
        },
      };
    },
    count: () => here,
  };
}
