// The wheels on PyPI that hold what ONNX Runtime needs for NVIDIA's GPUs on Linux x86-64, with the digests that PyPI
// publishes for them. A new version of onnxruntime-node needs its own row; a test fails until it has one.

/** A package of NVIDIA's libraries, exactly as we tried it. */
export interface Wheel {
  /** What it is, for people. */
  readonly title: string;
  readonly file: string;
  readonly byteSize: number;
  /** Of the whole file, hexadecimal. */
  readonly sha256: string;
  /** Folder below `WHEEL_HOST`. */
  readonly place: string;
  /** Libraries that make it needless where the system has them all; empty = always needed. */
  readonly provides: readonly string[];
}

/** Where the files of PyPI are; the path of a wheel follows. */
export const WHEEL_HOST = 'https://files.pythonhosted.org/packages/';

/** The version of onnxruntime-node whose libraries the first wheel fits. */
export const WHEELS_FOR = '1.30.0';

/** What all of them take once they are unpacked. */
export const UNPACKED_BYTES = 2_600_000_000;

/** All that may be needed; `neededWheels` leaves out what the machine has. Sizes are bytes. */
export const WHEELS: readonly Wheel[] = [
  {
    title: "ONNX Runtime's CUDA and TensorRT providers",
    file: 'onnxruntime_gpu-1.30.0-cp312-cp312-manylinux_2_28_x86_64.whl',
    byteSize: 246685715,
    sha256: '6acc0f4b3d5ac5f2984432faa59dd8fcce6775f8b43a7140afa0f322c7a703b1',
    place: '9e/80/d96143329dbe925d434b016c890a5caa785fac8e14a1570e5d6818b63545',
    provides: [],
  },
  {
    title: 'CUDA runtime',
    file: 'nvidia_cuda_runtime-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
    byteSize: 2504024,
    sha256: 'df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d',
    place: '0b/7c/14b8f5518f8951e9dca57ea80f44f8ea8bcc8671812e6cc38009f3205e57',
    provides: ['libcudart.so.13'],
  },
  {
    title: 'nvJitLink',
    file: 'nvidia_nvjitlink-13.5.37-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl',
    byteSize: 46642491,
    sha256: '280d7cb9649704145f074b8dbde500de04ce02d0872e066e20a83c17bcaa93eb',
    place: 'cc/1f/2321702b8d60b4b4dd18b957f61612dbac9cb1c07e940cf6582106b7c8b8',
    provides: ['libnvJitLink.so.13'],
  },
  {
    title: 'NVRTC',
    file: 'nvidia_cuda_nvrtc-13.5.37-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl',
    byteSize: 58185930,
    sha256: '86b4d68058807988b7d9af5b44917a0601e9c337f35ccd657bfb3c759ff8d8bc',
    place: 'a9/54/db4e7f650746265f61c05cf1f8f556dd8c6739b58c823fbc9a7d6fda3247',
    provides: ['libnvrtc.so.13'],
  },
  {
    title: 'cuBLAS',
    file: 'nvidia_cublas-13.10.0.20-py3-none-manylinux1_x86_64.manylinux_2_5_x86_64.whl',
    byteSize: 444289903,
    sha256: 'dcc6d63884c53d07e267ce7e6feac17b2538cebaafec5db865736c3e28e4dc84',
    place: 'b4/12/16628161ed8c109c8c73b38167df50cbc630a8a6e6548e2534d461526c3c',
    provides: ['libcublasLt.so.13', 'libcublas.so.13'],
  },
  {
    title: 'cuFFT',
    file: 'nvidia_cufft-12.5.0.14-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl',
    byteSize: 165072555,
    sha256: 'b8be26837a5abad2b5b74f3e92dd29f622a42934b355be0961a48712cbba23ad',
    place: 'c6/8f/f909edaadf9a7acf1b92f805a384b6984193bd595b45005f8e320d4170cf',
    provides: ['libcufft.so.12'],
  },
  {
    title: 'cuRAND',
    file: 'nvidia_curand-10.4.5.25-py3-none-manylinux_2_27_x86_64.whl',
    byteSize: 77113015,
    sha256: '22bb226a857e5888fe6b54ae465fc4371296bcff13a35f79e19691bcf454f529',
    place: '12/63/636e5dc9afb2959bfc0042a357d5567358df829b66c96d9fc36d77dc0596',
    provides: ['libcurand.so.10'],
  },
  {
    title: 'cuDNN',
    file: 'nvidia_cudnn_cu13-9.28.1.4-py3-none-manylinux_2_27_x86_64.whl',
    byteSize: 516817937,
    sha256: 'a54f205b1db1f2895d99f398754db1369816f0569dd459731f925635cf7b65ec',
    place: 'ef/6f/94535c450d44a68ef0b43d7a5e54c0e5ecda2ca3db7daec5d54c8d94e0d8',
    provides: ['libcudnn.so.9'],
  },
];
